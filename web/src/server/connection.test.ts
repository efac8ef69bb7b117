import { expect, it } from "vitest";

import { splitBinary } from "./connection";

it("binary answers come apart", () => {
  const header = new TextEncoder().encode('{"id":7} '.padEnd(12)); // 4 + 12 is a multiple of 4
  const message = new Uint8Array(4 + header.length + 8);
  new DataView(message.buffer).setUint32(0, header.length, true);
  message.set(header, 4);
  new Float32Array(message.buffer, 4 + header.length, 2).set([1.5, -2]);
  const answer = splitBinary(message.buffer);
  expect(answer.header).toEqual({ id: 7 });
  expect([...new Float32Array(answer.bytes)]).toEqual([1.5, -2]);
});
