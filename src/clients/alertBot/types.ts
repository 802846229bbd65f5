/** What the operator reads. Plain text; the client escapes it. */
export type BotMessage = { title: string; lines: string[] };

export type AlertBot = {
  /**
   * Brings a message to the operator's chat, cut where it is longer than the bot interface takes. Throws ClientError:
   * `rateLimited` with the seconds to wait, `temporary` without an answer, `auth` when the bot or its chat are not
   * good, `permanent` when this message is not taken. After `temporary` it may have arrived all the same.
   */
  send(message: BotMessage): Promise<void>;
};
