import { NoAnswer } from './failures.ts';

/** The vendor's library knows no time-outs and can't be stopped: whatever comes after `milliseconds` is dropped. */
export async function withDeadline<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), milliseconds);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
