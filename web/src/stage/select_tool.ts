import type { Pointer, StageTool } from "./tool";

/** Only looks on: clicks select with every tool, drags are the camera's. */
export class SelectTool implements StageTool {
  down(_pointer: Pointer): boolean {
    return false;
  }
  move(): void {}
  up(): void {}
  cancel(): void {}
}
