export type Mail = {
  /** A single address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Message-ID, so that a mail sent twice after an unclear failure is recognized as one. */
  id: string;
  /** An address that ends these mails with one POST (RFC 8058). */
  unsubscribeUrl?: string;
};

export type Mailer = {
  /**
   * Hands one mail to the SMTP server. Throws ClientError: `temporary` without an answer or when the server says so (4xx),
   * `auth` when it doesn't accept our name and password, `permanent` when it refuses this mail or its address (5xx).
   * After `temporary` it may have been accepted all the same.
   */
  send(mail: Mail): Promise<void>;
  /** Whether the server lets us in, without sending anything. Throws ClientError as `send` does. */
  check(): Promise<void>;
  close(): void;
};
