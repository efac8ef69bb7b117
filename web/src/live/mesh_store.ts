import type { Mesh } from "../core/recording";
import type { Connection } from "../server/contract";

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

const PER_ASK = 512; // meshes of one command

/** Meshes by their content: what an edited scene has in common with the one before is not asked for again. */
export class MeshStore {
  private readonly meshes = new Map<string, Mesh>();

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
    for (let next = 0; next < missing.length; ) {
      const wanted = missing.slice(next, next + PER_ASK);
      const { header, bytes } = await this.connection.askBytes("meshes", { hashes: wanted });
      const count = Number(header["count"]);
      if (!(count > 0)) throw new Error("the server has no meshes for what it shows");
      for (let i = 0, at = 0; i < count; ++i) {
        const { mesh, end } = readMesh(bytes, at);
        this.meshes.set(wanted[i]!, mesh);
        at = end;
      }
      next += count;
    }
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
