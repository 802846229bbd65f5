const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether `text` may be compared with a uuid column; Postgres fails on anything else. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
