// What Khronos' validator says of a .glb: node validate_gltf.cjs FILE ANSWER.json
const fs = require('fs');
const {validateBytes} = require('gltf-validator');
const [file, answer] = process.argv.slice(2);
validateBytes(new Uint8Array(fs.readFileSync(file)), {maxIssues: 1000}).then((report) => {
  fs.writeFileSync(answer, JSON.stringify({issues: report.issues, info: report.info}));
});
