import type { TakeStatus } from "../server/contract";
import type { Adder } from "./add";
import type { Notices } from "./notices";
import type { Selection } from "./selection";
import type { Store } from "./store";

/** What is done to the scene as a whole or to what is selected in it. */
export class Edits {
  constructor(
    private readonly store: Store,
    private readonly selection: Selection,
    private readonly adder: Adder,
    private readonly notices: Notices,
    /** Undone or done again: what was seen with the scene that there is now shall be seen. */
    private readonly travelled: (take: TakeStatus) => void,
  ) {}

  undo(): void {
    this.travel(this.store.undo());
  }
  redo(): void {
    this.travel(this.store.redo());
  }
  private travel(done: Promise<TakeStatus | undefined>): void {
    this.notices.forget();
    done.then((take) => take && this.travelled(take), this.notices.complain);
  }
  duplicate(): void {
    this.adder.duplicate(this.selection.pointers).then((made) => this.selection.set(made), this.notices.complain);
  }
  remove(): void {
    if (!this.selection.hasParts) return;
    this.adder.remove(this.selection.pointers).then(() => this.selection.set([]), this.notices.complain);
  }
}
