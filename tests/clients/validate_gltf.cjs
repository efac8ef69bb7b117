// What Khronos' validator says of a .glb: node validate_gltf.cjs FILE ANSWER.json
const fs = require('fs');
const {validateBytes} = require('gltf-validator');
// UVs are for textures to come: without one they count as unused
const options = {maxIssues: 0, ignoredIssues: ['UNUSED_OBJECT']};
const [file, answer] = process.argv.slice(2);
validateBytes(new Uint8Array(fs.readFileSync(file)), options).then((report) => {
  fs.writeFileSync(answer, JSON.stringify({issues: report.issues, info: report.info}));
});
