import { Notice } from "./errors";

/** Reads what io/files/packed_numbers.h writes: LEB128, signed numbers as 2n or -2n - 1. At most 53 bits. */
export class NumberReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  number(): number {
    const bytes = this.bytes;
    let value = 0;
    let factor = 1;
    for (;;) {
      if (this.at >= bytes.length) throw new Notice("The recording in this page ends early; export it again.");
      const byte = bytes[this.at++]!;
      if (byte < 0x80) return value + byte * factor;
      value += (byte & 0x7f) * factor;
      factor *= 128;
      if (factor > Number.MAX_SAFE_INTEGER) {
        throw new Notice("The recording in this page has a number that cannot be; export it again.");
      }
    }
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  get done(): boolean {
    return this.at === this.bytes.length;
  }
}
