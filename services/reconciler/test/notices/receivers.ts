import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface Posted {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body whose fields the test knows
  body: any;
}

/** A receiver of webhooks that answers with what `status` is just now, at the path `slow` once it has ended. */
export async function openReceiver() {
  const posted: Posted[] = [];
  const state: { status: number; slow?: { path: string; ended: Promise<void> } } = { status: 204 };
  const arrivals = new EventEmitter();
  const at = (path: string) => posted.filter((each) => each.path === path);
  const server = createServer(async (request, response) => {
    const body = await text(request);
    posted.push({ path: request.url ?? '', headers: request.headers, text: body, body: JSON.parse(body) });
    arrivals.emit('posted');
    if (state.slow?.path === request.url) await state.slow?.ended;
    response.writeHead(state.status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posted,
    state,
    at,
    /** Resolves once so many have come to the path. */
    async arrived(path: string, count: number): Promise<void> {
      while (at(path).length < count) await once(arrivals, 'posted');
    },
    close: () => server.close(),
  };
}

/** A mail server without TLS that takes what comes; `answer` makes it refuse. */
export async function openMailServer() {
  const mails: ParsedMail[] = [];
  const recipients: string[][] = [];
  const state: { refusal?: number } = {};
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, done) {
      done(state.refusal === undefined ? null : Object.assign(new Error('not now'), { responseCode: state.refusal }));
    },
    onData(stream, session, done) {
      simpleParser(stream).then((mail) => {
        mails.push(mail);
        recipients.push(session.envelope.rcptTo.map(({ address }) => address));
        done();
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}?tls=off`,
    mails,
    recipients,
    state,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
