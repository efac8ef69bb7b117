import { Notice } from "./errors";

/** What io/exports/replay_payload.h lists. */
const MAGIC = "SUNDERRP";
export const VERSION = 1;

export interface Payload {
  readonly header: Record<string, unknown>;
  /** The bytes of one of the header's `blobs`. */
  blob(name: string): Uint8Array;
}

const DAMAGED = "The recording in this page is damaged; export it again with sunder export.";

export function bytesFromBase64(text: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(text.trim());
  } catch {
    throw new Notice(DAMAGED);
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

export async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  if (typeof DecompressionStream === "undefined") {
    throw new Notice("This browser cannot unpack the recording; a replay needs Chrome 80, Firefox 113, Safari 16.4 or newer.");
  }
  try {
    const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Notice(DAMAGED); // gzip's checksum covers everything
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function openPayload(bytes: Uint8Array): Payload {
  const start = MAGIC.length + 8;
  const text = new TextDecoder();
  if (bytes.length < start || text.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) throw new Notice(DAMAGED);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(MAGIC.length, true);
  if (version !== VERSION) {
    throw new Notice(`The recording in this page is of version ${version}, the page reads ${VERSION}; export it again.`);
  }
  const blobsAt = start + view.getUint32(MAGIC.length + 4, true);
  if (blobsAt > bytes.length) throw new Notice(DAMAGED);
  let header: unknown;
  try {
    header = JSON.parse(text.decode(bytes.subarray(start, blobsAt)));
  } catch {
    throw new Notice(DAMAGED);
  }
  if (!isRecord(header)) throw new Notice(DAMAGED);
  const places = header["blobs"];
  return {
    header,
    blob(name: string): Uint8Array {
      const place = isRecord(places) ? places[name] : undefined;
      if (!Array.isArray(place)) throw new Notice(DAMAGED);
      const [offset, size] = place as unknown[];
      if (typeof offset !== "number" || typeof size !== "number" || blobsAt + offset + size > bytes.length) {
        throw new Notice(DAMAGED);
      }
      return bytes.subarray(blobsAt + offset, blobsAt + offset + size);
    },
  };
}

/** Little-endian floats at any offset. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const floats = new Float32Array(Math.floor(bytes.length / 4));
  for (let i = 0; i < floats.length; ++i) floats[i] = view.getFloat32(4 * i, true);
  return floats;
}
