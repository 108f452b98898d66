import { createTransport } from 'nodemailer';
import type { MailOutcome } from './outcome';

export interface Mail {
  /** The same in every attempt, so that a mailbox can tell a repetition. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The language of the mail's words, as `de`. */
  language: string;
}

export interface Mailer {
  /** Never rejects for what the mail server or the network does. */
  send(mail: Mail): Promise<MailOutcome>;
}

export interface MailerOptions {
  /** `smtps://user:password@host:465`, or `smtp://…:587`, which has to offer STARTTLS unless the query says `tls=off`. */
  url: string;
  /** The address that mail comes from. */
  from: string;
  /** Bounds the whole attempt, from the connection to the answer. */
  timeoutMs: number;
  /** Certificates in PEM that are trusted in place of the system's. */
  ca?: string;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** @throws TypeError for a URL that is none of a mail server. */
export function createMailer({ url, from, timeoutMs, ca }: MailerOptions): Mailer {
  const transport = createTransport({ ...readServer(url), ...timesOf(timeoutMs), tls: tlsOf(ca) });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ id, to, subject, text, language }) {
      try {
        await transport.sendMail({
          from: { name: 'mediagate', address: from },
          // As objects, so that no character of an address makes another recipient.
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: AbortSignal.timeout(timeoutMs),
        });
        return { kind: 'sent' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
  };
}

function readServer(text: string) {
  const url = URL.parse(text);
  const port = url ? PORTS[url.protocol] : undefined;
  if (url === null || port === undefined || url.hostname === '')
    throw new TypeError('not the URL of a mail server: smtp://host:587 or smtps://host:465');
  const isPlain = url.searchParams.get('tls') === 'off';
  const secure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
    secure,
    requireTLS: !secure && !isPlain,
    ignoreTLS: !secure && isPlain,
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
  };
}

function timesOf(timeoutMs: number) {
  return { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs, dnsTimeout: timeoutMs };
}

function tlsOf(ca: string | undefined) {
  return { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const, ...(ca === undefined ? {} : { ca }) };
}

/** The reason names the server's code. 5xx is final, but not for a login or TLS, which operators can mend. */
function outcomeOf(error: unknown): MailOutcome {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof code !== 'string') throw error;
  if (typeof responseCode !== 'number' || code === 'ETLS')
    return { kind: 'failed', reason: `smtp_${code.toLowerCase()}` };
  const isRefused = responseCode >= 500 && code !== 'EAUTH';
  return { kind: isRefused ? 'refused' : 'failed', reason: `smtp_${responseCode}` };
}
