/** What a person should read: a sentence that says what is wrong and what to do. */
export class Notice extends Error {
  override readonly name = "Notice";
}
