import { inSpan, isTraced, serverOf } from '@mediagate/host';

interface TracedRequest {
  method: string;
  url: string;
}

type TracedReply = { kind: 'answer'; status: number } | { kind: 'lost'; why: string; code?: string };

/**
 * One exchange with a vendor as a span, in the words that OpenTelemetry has for HTTP. Of its address only the host is written:
 * paths and queries may hold keys and ids. A vendor learns nothing of the trace.
 */
export function traceExchange<Reply extends TracedReply>(
  request: TracedRequest,
  exchange: () => Promise<Reply>,
): Promise<Reply> {
  if (!isTraced()) return exchange();
  return inSpan(request.method, { kind: 'client', attributes: () => describe(request) }, async (span) => {
    const reply = await exchange();
    if (reply.kind === 'lost') span.fail(reply.code ?? reply.why);
    else {
      span.note({ 'http.response.status_code': reply.status });
      if (reply.status >= 400) span.fail(String(reply.status));
    }
    return reply;
  });
}

function describe({ method, url }: TracedRequest) {
  return { 'http.request.method': method, ...serverOf(url) };
}
