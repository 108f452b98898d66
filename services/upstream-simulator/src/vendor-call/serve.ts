import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../clock';
import type { FaultChooser, Faults } from '../faults/chooser';
import { durationMs } from '../faults/scenarios';
import { type Journal, type JournalEntry, MAX_JOURNAL_PROMPT_CHARS } from '../journal/journal';
import { redact } from '../journal/redact';
import { fired, hangUpSignal } from '../streaming';
import { type Call, type Endpoint, Refusal, type RefusalName, type Reply, type Wire } from './contract';
import type { RateWindow } from './rate-window';
import { sendReply } from './send';

export interface CallSurroundings {
  clock: Clock;
  journal: Journal;
  chooser: FaultChooser;
  rateWindow: RateWindow;
  /** Virtual milliseconds that a vendor takes to make an image. */
  imageMs: number;
  /** Fires when the simulator stops: nobody is held any longer. */
  closing: AbortSignal;
}

type Ending = { kind: 'reply'; reply: Reply } | { kind: 'cut' } | { kind: 'left' };

/**
 * The story of every paid call, whatever the vendor: key, body, faults that stand before the vendor, strict checks,
 * acceptance (from here on the vendor charges), the work, the answer.
 */
export function serveVendorCall<Body, Job>(
  wire: Wire,
  endpoint: Endpoint<Body, Job>,
  around: CallSurroundings,
): RequestHandler {
  return async (request, response) => {
    const requestId = wire.newRequestId();
    const entry = around.journal.open({ wire: wire.name, method: request.method, path: pathOf(request) });
    const stop = hangUpSignal(response, around.closing);
    const run: Run<Body, Job> = {
      wire,
      endpoint,
      around,
      request,
      response,
      requestId,
      entry,
      stop,
      faults: undefined,
    };
    const ending = await decide(run);

    if (ending.kind === 'reply' && !response.destroyed) {
      for (const [name, value] of Object.entries(wire.replyHeaders(requestId, around.rateWindow.state()))) {
        response.setHeader(name, value);
      }
      entry.replyStatus = ending.reply.status;
      const sent = await sendReply(response, ending.reply, { faults: run.faults, clock: around.clock, stop });
      entry.ending = sent ? 'replied' : 'left';
    } else {
      entry.ending = ending.kind === 'cut' ? 'cut' : 'left';
      request.socket.resetAndDestroy();
    }
    around.journal.touch();
  };
}

interface Run<Body, Job> {
  wire: Wire;
  endpoint: Endpoint<Body, Job>;
  around: CallSurroundings;
  request: Request;
  response: Response;
  requestId: string;
  entry: JournalEntry;
  /** Fires when the caller hangs up or the simulator stops. */
  stop: AbortSignal;
  faults: Faults | undefined;
}

async function decide<Body, Job>(run: Run<Body, Job>): Promise<Ending> {
  const { wire, endpoint, around, request, requestId, entry, stop } = run;
  try {
    wire.checkKey(request, requestId);
    const body = await endpoint.read(request, requestId);
    const faults = chooseFaults(run, body);
    run.faults = faults;

    const latency = faults.take('latency');
    if (latency) await around.clock.sleep(durationMs(latency.value, 0), stop);
    if (faults.take('reset-before')) return { kind: 'cut' };
    const standIn = refusalBeforeWork(run, faults);
    if (standIn) return { kind: 'reply', reply: standIn };

    const call: Call = { requestId, request, faults, warn: (sentence) => entry.warnings.push(sentence) };
    const job = await endpoint.prepare(body, call);
    if (faults.take('policy-submit')) return { kind: 'reply', reply: refuse(run, 'policy-submit') };
    // A caller who hung up before this line has bought nothing.
    if (stop.aborted) return { kind: 'left' };

    accept(run);
    if (faults.take('reset-after')) return { kind: 'cut' };
    if (faults.take('stuck')) {
      await fired(stop);
      return { kind: 'left' };
    }
    await around.clock.sleep(around.imageMs, stop);
    return { kind: 'reply', reply: await endpoint.run(job, call) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'reply', reply: error.reply };
    // The caller hung up while sending: reading fails, and nobody is left to hear why.
    if (!request.complete) return { kind: 'left' };
    throw error;
  }
}

function chooseFaults<Body, Job>({ wire, endpoint, around, request, entry }: Run<Body, Job>, body: Body): Faults {
  const { model, prompt } = endpoint.describe(request, body);
  entry.model = model.slice(0, 200);
  entry.prompt = prompt.slice(0, MAX_JOURNAL_PROMPT_CHARS);
  entry.request = redact(body);
  const header = request.get('x-sim-scenario');
  const faults = around.chooser.choose({ wire: wire.name, path: entry.path, model, prompt, header });
  entry.rule = faults.from;
  entry.scenarios = faults.taken;
  entry.warnings.push(...faults.mistakes);
  around.journal.touch();
  return faults;
}

const refusalsBeforeWork: RefusalName[] = ['auth', 'rate-limit', 'quota', '5xx', 'busy'];

function refusalBeforeWork<Body, Job>(run: Run<Body, Job>, faults: Faults): Reply | undefined {
  if (faults.take('gateway-html')) return badGatewayPage;
  for (const name of refusalsBeforeWork) {
    const fault = faults.take(name);
    if (fault) return refuse(run, name, fault.value);
  }
  return run.around.rateWindow.admit() ? undefined : refuse(run, 'rate-limit');
}

function refuse<Body, Job>(run: Run<Body, Job>, name: RefusalName, value = ''): Reply {
  const retryAfter = name === 'rate-limit' ? run.faults?.take('retry-after') : undefined;
  return run.wire.refuse(name, {
    requestId: run.requestId,
    status: value === '' ? 500 : Number(value),
    retryAfterMs: retryAfter && durationMs(retryAfter.value, 0),
  });
}

function accept<Body, Job>({ entry, requestId, around }: Run<Body, Job>): void {
  entry.accepted = true;
  entry.externalId = requestId;
  around.journal.touch();
}

const badGatewayPage: Reply = {
  status: 502,
  body: {
    html: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
  },
};

function pathOf(request: Request): string {
  return request.originalUrl.replace(/\?.*$/s, '').slice(0, 500);
}
