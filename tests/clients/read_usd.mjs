// What tinyusdz makes of a .usda: node read_usd.mjs FILE ANSWER.json
// It is made for browsers; told that this is one (process.type), it runs here too. Its package does not say that it is a
// module, which node 18 wants to be told: by the name of a copy.
import {copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

process.type = 'renderer';
globalThis.WorkerGlobalScope ??= class {};

const [file, answer] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'tinyusdz-'));
copyFileSync(require.resolve('tinyusdz/tinyusdz.js'), join(folder, 'tinyusdz.mjs'));
const {default: initialise} = await import(pathToFileURL(join(folder, 'tinyusdz.mjs')).href);
rmSync(folder, {recursive: true});
const wasm = readFileSync(require.resolve('tinyusdz/tinyusdz.wasm'));
const native = await initialise({
  instantiateWasm: (imports, receive) => {
    WebAssembly.instantiate(wasm, imports).then(({instance, module}) => receive(instance, module));
    return {};
  },
});

const usd = new native.TinyUSDZLoaderNative();
const ok = usd.loadAsLayerFromBinary(new Uint8Array(readFileSync(file)), file) &&
    (!usd.hasReferences() || usd.composeReferences()) && usd.layerToRenderScene();
const result = {ok, error: usd.error(), meshes: 0, nodes: []};
const visit = (node) => {
  const mesh = node.nodeType === 'mesh' ? usd.getMesh(node.contentId) : null;
  result.nodes.push({
    name: node.primName,
    path: node.absPath,
    type: node.nodeType,
    matrix: [...node.localMatrix ?? []],
    points: mesh ? mesh.points?.length / 3 : undefined,
  });
  for (const child of node.children) visit(child);
};
if (ok) {
  result.meshes = usd.numMeshes();
  visit(usd.getDefaultRootNode());
}
writeFileSync(answer, JSON.stringify(result));
