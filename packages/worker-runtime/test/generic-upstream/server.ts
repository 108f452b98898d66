import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createJobs, type Job } from './jobs';
import { partOf } from './parts';
import { signedPng, smallGif, smallPng } from './png';
import type { JournalEntry, Refusal, Script } from './script';

/**
 * A vendor that nobody has: it takes jobs, works on them for as long as its script says, and keeps its own record. A
 * process of its own, so that what it accepted stays accepted when a worker is killed. Prints its port when it listens.
 */
const jobs = createJobs();
const image = smallPng();
const signedAndMore = () => Buffer.concat([signedPng(), Buffer.from('PK')]);
let heldReplies: (() => void)[] = [];

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  channel: string;
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const channel = (request.headers.authorization ?? '').replace('Bearer ', '');
  route({ request, response, url, channel }).catch((error: Error) => reply(response, 500, { error: error.message }));
});

async function route(call: Call): Promise<void> {
  const { request, response, url } = call;
  const [, area, id, action] = url.pathname.split('/');
  switch (`${request.method} /${area}`) {
    case 'POST /jobs':
      return action === 'cancel' ? cancel(call, id ?? '') : start(call);
    case 'POST /streams':
      return stream(call);
    case 'GET /jobs':
      return id === undefined ? lookUp(call) : check(call, id);
    case 'GET /files':
      return serveFile(call, id ?? '');
    case 'GET /journal':
      return reply(response, 200, jobs.journal);
    case 'POST /script': {
      const { subject, script } = (await json(request)) as { subject: string; script: Script };
      jobs.instruct(subject, script);
      return reply(response, 200, {});
    }
    case 'POST /release': {
      const released = heldReplies;
      heldReplies = [];
      for (const send of released) send();
      return reply(response, 200, {});
    }
    default:
      return reply(response, 404, { error: 'no such place' });
  }
}

/** An idempotency key is enforced; a client reference is only kept, and can be asked for. */
async function start({ request, response, channel }: Call): Promise<void> {
  const body = (await json(request)) as Record<string, string | undefined> & { stage?: number };
  const { label, client_reference: clientReference, callback_url: callbackUrl, image, stage = 1 } = body;
  if (label === undefined) return reply(response, 400, { error: 'label is missing' });
  const key = request.headers['idempotency-key'];
  const reference = typeof key === 'string' ? key : clientReference;
  const note = (event: JournalEntry['event'], job?: Job) =>
    jobs.note({
      event,
      label,
      channel,
      ...(reference && { reference }),
      ...(callbackUrl && { callbackUrl }),
      ...(image && { image }),
      ...(job && { job: job.id }),
    });

  const move = jobs.startMove(label, channel);
  if (typeof move === 'object') {
    note('refused');
    return refuse(response, move);
  }
  const earlier = typeof key === 'string' ? jobs.findByReference(key) : undefined;
  const job = earlier ?? jobs.create(label, reference, stage);
  note(earlier ? 'replayed' : 'accepted', job);
  const answer = move === 'answer' ? done(job, request, channel) : { id: job.id, status: 'queued' };
  switch (move) {
    case 'accept':
    case 'answer':
      return reply(response, 200, answer);
    case 'accept and drop':
      return void response.destroy();
    case 'accept and garble':
      return garble(response);
    case 'answer elsewhere':
      return reply(response, 200, { status: 'misplaced' });
    case 'accept and hold':
      return void heldReplies.push(() => reply(response, 200, answer));
    default:
      return move satisfies never;
  }
}

/** Parts of letters that tell their number; the next one is made when the last was taken. */
async function stream({ request, response, channel }: Call): Promise<void> {
  const { label = '' } = (await json(request)) as { label?: string };
  const note = (event: JournalEntry['event']) => jobs.note({ event, label, channel });
  const move = jobs.startMove(label, channel);
  const released = () => new Promise<void>((resolve) => heldReplies.push(resolve));
  if (typeof move === 'object') {
    note('refused');
    if (move.isHeld) await released();
    return refuse(response, move);
  }
  note('accepted');
  const { parts, partBytes, end } = jobs.scriptOf(label, channel).stream ?? ONE_PART;
  response.on('close', () => note(response.writableFinished ? 'finished' : 'hung_up'));
  if (move === 'accept and hold') await released();
  response.writeHead(200, { 'content-type': 'audio/wav' }).flushHeaders();
  const closed = once(response, 'close');
  for (let part = 0; part < parts && !response.destroyed; part += 1) {
    if (!response.write(partOf(part, partBytes))) await Promise.race([once(response, 'drain'), closed]);
  }
  if (end !== 'whole') await released();
  if (end === 'cut') response.destroy();
  else response.end();
}

const ONE_PART = { parts: 1, partBytes: 1000, end: 'whole' } as const;

async function check({ request, response, channel }: Call, id: string): Promise<void> {
  const job = jobs.find(id);
  if (!job) return reply(response, 404, { error: 'no such job' });
  jobs.note({ event: 'checked', label: job.label, channel, job: id });
  if (job.stage === 1 && jobs.scriptOf(job.label, channel).staged) {
    return reply(response, 200, { id, status: 'stage_done', label: job.label });
  }
  if (job.cancelled) return reply(response, 200, { id, status: 'failed' });
  const move = jobs.checkMove(job.label, channel);
  if (typeof move === 'object') return refuse(response, move);
  switch (move) {
    case 'queued':
    case 'parked':
    case 'unknown_word':
    case 'running':
      return reply(response, 200, { id, status: move, progress: 33.4 });
    case 'failed':
    case 'blocked':
    case 'not_started':
    case 'misplaced':
      jobs.noteFinished(job, channel);
      return reply(response, 200, { id, status: move, credits: jobs.scriptOf(job.label, channel).credits });
    case 'done':
      return reply(response, 200, done(job, request, channel));
    case 'hold':
      return void heldReplies.push(() => reply(response, 200, done(job, request, channel)));
    case 'drop':
      return void response.destroy();
    case 'garble':
      return garble(response);
    default:
      return move satisfies never;
  }
}

async function cancel({ response, channel }: Call, id: string): Promise<void> {
  const job = jobs.find(id);
  if (!job) return reply(response, 404, { error: 'no such job' });
  const move = job.cancelled ? 'too late' : jobs.cancelMove(job.label, channel);
  if (typeof move === 'object') return refuse(response, move);
  if (move === 'too late') return reply(response, 200, { id, status: 'running' });
  job.cancelled = true;
  jobs.note({ event: 'cancelled', label: job.label, channel, job: id });
  if (move === 'cancel and drop') return void response.destroy();
  const { usage, credits } = jobs.scriptOf(job.label, channel);
  reply(response, 200, { id, status: 'cancelled', credits, ...(move === 'cancel and charge' && { usage }) });
}

function lookUp({ response, url, channel }: Call): void {
  const reference = url.searchParams.get('client_reference') ?? '';
  const job = jobs.findByReference(reference);
  jobs.note({ event: 'looked_up', label: job?.label ?? '', channel, reference });
  reply(response, 200, { jobs: job ? [{ id: job.id, status: 'queued' }] : [] });
}

function done(job: Job, request: IncomingMessage, channel: string) {
  const {
    outputs = 1,
    missing = 0,
    keyed = false,
    grid = false,
    usage = {},
    credits,
    role = 'image',
  } = jobs.scriptOf(job.label, channel);
  const links = Array.from({ length: outputs }, (_, index) => {
    const name = index < outputs - missing ? `${job.id}-${index}.png` : 'gone.png';
    return `http://${request.headers.host}/files/${name}`;
  });
  jobs.noteFinished(job, channel);
  return { id: job.id, status: 'done', outputs: links, role, keyed, grid, usage, credits };
}

async function serveFile({ response, channel }: Call, name: string): Promise<void> {
  if (name === 'gone.png') return reply(response, 404, { error: 'gone' });
  const { label = '' } = jobs.find(name.replace(/-\d+\.png$/, '')) ?? {};
  const { lateFetches = 0, spoilt = false, signed = false, gif = false, keyed = false } = jobs.scriptOf(label, channel);
  if (keyed && channel === '') return reply(response, 401, { error: 'whose key?' });
  if (jobs.fetchesOf(name) < lateFetches) return reply(response, 404, { error: 'not yet' });
  jobs.note({ event: 'fetched', label: name, channel });
  if (gif) return void response.writeHead(200, { 'content-type': 'image/gif' }).end(smallGif());
  if (spoilt) return void response.writeHead(200, { 'content-type': 'image/png' }).end('RIFF\0\0\0\0WAVEfmt ');
  response.writeHead(200, { 'content-type': 'image/png' }).end(signed ? signedAndMore() : image);
}

function refuse(response: ServerResponse, { status, retryAfterSeconds }: Refusal): void {
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
  reply(response, status, { error: 'refused' });
}

function garble(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "jo');
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
// Whoever started it holds the other end; without them nobody needs it.
process.once('disconnect', () => process.exit());
