import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One page, everything inlined: it must open from disk. `sunder export` puts a recording into it.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  esbuild: { legalComments: "inline" },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: false, // Studio is beside it
    rollupOptions: { input: "replay.html" },
  },
});
