/** Bytes, unpacked. A digest is a few thousand; what a broken or hostile server sends beyond would fill the memory. */
const LONGEST_ANSWER = 4_000_000;

/** For the vendor's library: follows no redirect, and ends what is too long for a digest with an error. */
export async function fetchLimited(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const { body, status, headers } = await fetch(url, { ...init, redirect: 'manual' });
  let left = LONGEST_ANSWER;
  const limited = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error('The AI service sent too long an answer.'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(limited) ?? null, { status, headers });
}
