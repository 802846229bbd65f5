/** Bytes, unpacked. A digest is a few thousand; what a broken or hostile server sends beyond would fill the memory. */
const LONGEST_ANSWER = 4_000_000;

/** For the vendor's library: follows no redirect, and ends what is too long for a digest with an error. */
export async function fetchLimited(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const { body, status, headers } = await fetch(url, { ...init, redirect: 'manual' });
  return new Response(body?.pipeThrough(atMost(LONGEST_ANSWER)) ?? null, { status, headers });
}

function atMost(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > bytes) controller.error(new Error('The AI service sent too long an answer.'));
      else controller.enqueue(chunk);
    },
  });
}
