import type { Express, Request } from 'express';
import { createPages } from '../pages/pages.ts';
import type { MailInbox, SandboxMail } from './inbox.ts';
import { presentInbox, presentMail, withLinksInNewTabs } from './present.ts';

/** The HTML of a mail can't run, load or send anything; its links can be followed. */
const OF_A_MAIL = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

const AROUND_A_MAIL = "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const NO_MAIL = { title: 'There is no such mail', problem: 'The oldest ones are forgotten.', back: 'All mails' };

/** The pages of the mails: the list, and each mail as it is displayed and as it was sent. */
export function createMailPages(inbox: MailInbox): Express {
  const { app, render, showProblem, endWith } = createPages('Mail sandbox', 'mail/page');

  app.get('/', (req, res) => {
    const to = typeof req.query.to === 'string' ? req.query.to.trim() : '';
    res.send(render('inbox', presentInbox(inbox.messages(), to)));
  });

  app.get('/mails/:id', (req, res, next) => {
    const mail = mailOf(req);
    if (!mail) return next();
    res.set('Content-Security-Policy', AROUND_A_MAIL).send(render('mail', presentMail(mail)));
  });

  app.get('/mails/:id/html', (req, res, next) => {
    const mail = mailOf(req);
    if (!mail) return next();
    res.set({ 'Content-Security-Policy': OF_A_MAIL, 'Referrer-Policy': 'no-referrer' });
    res.type('html').send(withLinksInNewTabs(mail.html));
  });

  app.get('/mails/:id/source', (req, res, next) => {
    const mail = mailOf(req);
    if (!mail) return next();
    res.type('text/plain').send(mail.source);
  });

  endWith((res, status) => {
    if (status === 404) showProblem(res, status, NO_MAIL);
    else showProblem(res, status, { problem: 'The page could not be shown.', back: 'All mails' });
  });

  function mailOf(req: Request): SandboxMail | undefined {
    return inbox.messages().find(({ id }) => String(id) === req.params.id);
  }

  return app;
}
