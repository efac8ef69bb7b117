import type { Mesh } from "../core/recording";
import { CommandError, type Connection } from "../studio/contract";

/** Reads a mesh as GET /mesh/HASH has it, at a byte offset. */
export function readMesh(bytes: ArrayBuffer, at = 0): { mesh: Mesh; end: number } {
  const [vertices, triangles, outside] = new Uint32Array(bytes, at, 3) as unknown as [number, number, number];
  const positionsAt = at + 12;
  const trianglesAt = positionsAt + 12 * vertices;
  const mesh: Mesh = {
    positions: new Float32Array(bytes.slice(positionsAt, trianglesAt)),
    triangles: new Uint32Array(bytes.slice(trianglesAt, trianglesAt + 12 * triangles)),
    outside,
  };
  return { mesh, end: trianglesAt + 12 * triangles };
}

function bytesOf(mesh: Mesh): number {
  return mesh.positions.byteLength + mesh.triangles.byteLength;
}

const AT_ONCE = 6; // requests
const PER_ASK = 512; // meshes of one command

/** Meshes by their content: what an edited scene has in common with the one before is not asked for again. */
export class MeshStore {
  private readonly meshes = new Map<string, Mesh>();
  private hasCommand = true; // an older server has only single meshes

  constructor(
    private readonly connection: Connection,
    private readonly limit = 256e6, // bytes
  ) {}

  get(hash: string): Mesh | undefined {
    return this.meshes.get(hash);
  }

  /** Asks for those that are not here. */
  async need(hashes: Iterable<string>): Promise<void> {
    const missing = [...new Set(hashes)].filter((hash) => !this.meshes.has(hash));
    if (missing.length === 0) return;
    if (this.hasCommand && missing.length > 1) await this.askTogether(missing);
    await this.askSingly(missing.filter((hash) => !this.meshes.has(hash)));
  }

  private async askTogether(hashes: readonly string[]): Promise<void> {
    for (let next = 0; next < hashes.length; ) {
      const wanted = hashes.slice(next, next + PER_ASK);
      let answer;
      try {
        answer = await this.connection.askBytes("meshes", { hashes: wanted });
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        this.hasCommand = false;
        return;
      }
      const count = Number(answer.header["count"]);
      if (!(count > 0)) return;
      for (let i = 0, at = 0; i < count; ++i) {
        const { mesh, end } = readMesh(answer.bytes, at);
        this.meshes.set(wanted[i]!, mesh);
        at = end;
      }
      next += count;
    }
  }

  private async askSingly(hashes: readonly string[]): Promise<void> {
    const rest = [...hashes];
    const one = async (): Promise<void> => {
      for (let hash = rest.pop(); hash !== undefined; hash = rest.pop()) {
        this.meshes.set(hash, readMesh(await this.connection.fetchBytes(`/mesh/${hash}`)).mesh);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }

  /** Forgets meshes when there are too many; those in use stay. */
  tidy(inUse: ReadonlySet<string>): void {
    let bytes = 0;
    for (const mesh of this.meshes.values()) bytes += bytesOf(mesh);
    for (const [hash, mesh] of this.meshes) {
      if (bytes <= this.limit) return;
      if (inUse.has(hash)) continue;
      this.meshes.delete(hash);
      bytes -= bytesOf(mesh);
    }
  }
}
