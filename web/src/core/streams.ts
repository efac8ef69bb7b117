import { readStressPoints } from "./stress";

/** One kind of thing that recordings keep by frame or by break, and how its bytes are read. */
export interface StreamDecoder<T> {
  readonly of: "frame" | "event";
  readonly decode: (bytes: Uint8Array) => T; // throws a Notice when they are damaged
}

/** All that pages can show, by the names of io/recording/record_stream.h. A new one is a row here, beside its decoder. */
export const STREAMS = {
  stress: { of: "event", decode: readStressPoints },
} as const satisfies Record<string, StreamDecoder<unknown>>;

export type StreamName = keyof typeof STREAMS;
export type StreamEntry<Name extends StreamName> = ReturnType<(typeof STREAMS)[Name]["decode"]>;

export function decodeStream<Name extends StreamName>(name: Name, bytes: Uint8Array): StreamEntry<Name> {
  const { decode } = STREAMS[name] as StreamDecoder<StreamEntry<Name>>;
  return decode(bytes);
}
