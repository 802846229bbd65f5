/** Rejects with the given error if the work takes longer than `milliseconds`; a later result is dropped. */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, createError: () => Error): Promise<T> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => expiry.reject(createError()), milliseconds);
  try {
    return await Promise.race([work, expiry.promise]);
  } finally {
    clearTimeout(timer);
  }
}
