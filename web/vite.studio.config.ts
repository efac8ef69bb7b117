import { renameSync } from "node:fs";
import { defineConfig } from "vite";

// Studio is served by the program, under a policy that allows no inline scripts: several files, index.html at the root.
export default defineConfig({
  esbuild: { legalComments: "inline" },
  build: {
    target: "es2022",
    outDir: "dist/studio",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rollupOptions: { input: "studio.html" },
  },
  plugins: [{ name: "index", closeBundle: () => renameSync("dist/studio/studio.html", "dist/studio/index.html") }],
});
