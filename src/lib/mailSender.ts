/** `Name <address>` or an address, on one line. */
export const MAIL_SENDER = /^([^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u;
