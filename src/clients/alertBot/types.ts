/** Message to the operator in plain text; the client escapes it. */
export type BotMessage = { title: string; lines: string[] };

export type AlertBot = {
  /**
   * Sends a message to the operator's chat, cut if it is longer than the bot interface allows. Throws ClientError:
   * `rateLimited` with the seconds to wait, `temporary` without an answer, `auth` when the bot or its chat is not
   * valid, `permanent` when this message is refused. After `temporary` it may have arrived all the same.
   */
  send(message: BotMessage): Promise<void>;
};
