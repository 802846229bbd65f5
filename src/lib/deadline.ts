/** Rejects with `tooLate` when there is no answer within `milliseconds`; what comes afterwards is dropped. */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, tooLate: () => Error): Promise<T> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => expiry.reject(tooLate()), milliseconds);
  try {
    return await Promise.race([work, expiry.promise]);
  } finally {
    clearTimeout(timer);
  }
}
