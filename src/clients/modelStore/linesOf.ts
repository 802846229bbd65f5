/** Characters. Nothing that a model store tells of a download is longer. */
const LONGEST_LINE = 20_000;

/** The lines of a body as they come, without empty ones. Throws for a line that no such answer has. */
export async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (!body) return;
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Error('The model store sent too long a line.');
    yield* lines.filter(line => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}
