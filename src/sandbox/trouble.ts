/** What keeps the bare machine from running, said in a sentence for the person at the terminal: shown without a stack. */
export class Trouble extends Error {
  override readonly name = 'Trouble';
}
