/** Keeps the program from starting. Its message is a sentence for the person at the terminal, shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
