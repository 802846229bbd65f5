/** Keeps the program from starting. Its message is one sentence for the person at the terminal and is shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
