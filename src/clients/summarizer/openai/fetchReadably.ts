/** Bytes, unpacked. A digest is a few thousand; what a broken or hostile server sends beyond would fill the memory. */
const LONGEST_ANSWER = 4_000_000;
/** Characters of an error's body. No server's own is longer. */
const LONGEST = 20_000;

/**
 * For the vendor's library, which reads an error's words under `error`: some servers (vLLM before 0.10.1) put them at
 * the top level of the body, Google in a list, and without them a prompt that is too long can't be told from one that is
 * wrong. What is too long for a digest ends with an error.
 */
export async function fetchReadably(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: 'manual' });
  const { ok, status, headers } = answer;
  const response = new Response(answer.body?.pipeThrough(atMost(LONGEST_ANSWER)) ?? null, { status, headers });
  if (ok || !headers.get('content-type')?.includes('json')) return response;
  const text = await response.text();
  return new Response(text.length > LONGEST ? '' : asVendorsError(text), { status, headers });
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

function asVendorsError(text: string): string {
  try {
    const sent: unknown = JSON.parse(text);
    const body: unknown = Array.isArray(sent) ? sent[0] : sent;
    if (typeof body !== 'object' || body === null) return text;
    return JSON.stringify('error' in body ? body : { error: body });
  } catch {
    return text;
  }
}
