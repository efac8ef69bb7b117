import type { Vec3 } from "../core/recording";
import type { SocketConnection } from "../server/connection";
import type { JsonObject } from "../server/contract";
import type { MeshImport } from "./import_mesh";
import type { VolumeImport } from "./import_volume";
import type { JobStrip } from "./jobs";

export const MESH_ENDINGS = [".obj", ".ply", ".stl", ".off", ".gltf", ".glb"];
export const VOLUME_ENDINGS = [".nrrd"];

export type ImportKind = "mesh" | "volume";

/** What a file is by its name; undefined: nothing that can be brought in. */
export function importKind(name: string): ImportKind | undefined {
  const endsIn = (endings: readonly string[]): boolean => endings.some((ending) => name.toLowerCase().endsWith(ending));
  return endsIn(MESH_ENDINGS) ? "mesh" : endsIn(VOLUME_ENDINGS) ? "volume" : undefined;
}

/** Files from the person's own disk: sent into the project, and on into the scene. */
export class Imports {
  constructor(
    private readonly connection: SocketConnection,
    private readonly jobs: JobStrip,
    private readonly meshes: MeshImport,
    private readonly volumes: VolumeImport,
    private readonly complain: (error: unknown) => void,
  ) {}

  /** `at`: where a mesh shall be. */
  async files(files: Iterable<File>, at?: Vec3): Promise<void> {
    for (const file of files) await this.file(file, at).catch(this.complain);
  }

  private async file(file: File, at: Vec3 | undefined): Promise<void> {
    const kind = importKind(file.name);
    if (kind === undefined) {
      throw new Error(
        `${file.name}: Studio reads meshes (${MESH_ENDINGS.join(", ")}) and volumes (${VOLUME_ENDINGS.join(", ")}). Scenes and recordings are opened with File, Open from the project folder.`,
      );
    }
    const answer = await this.send(file);
    await (kind === "volume" ? this.volumes.sent(answer) : this.meshes.sent(answer, at));
  }

  private async send(file: File): Promise<JsonObject> {
    const upload = this.connection.upload(file.name, file, (share) => strip.share(share));
    const strip = this.jobs.upload(`Send ${file.name}`, upload.cancel);
    return upload.answer.finally(() => strip.end());
  }
}
