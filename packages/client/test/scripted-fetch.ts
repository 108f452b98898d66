/** A gateway's reaction to one request: an answer, or the fault of a connection without one. */
export type Step = Response | Error | ((request: Request) => Response);

/** A gateway that answers by a script, one step a request, and remembers what it was sent. */
export function scriptedFetch(...steps: Step[]): { fetch: typeof fetch; requests: Request[] } {
  const requests: Request[] = [];
  return {
    requests,
    async fetch(input, init) {
      const request = new Request(input, init);
      requests.push(request);
      const step = steps[requests.length - 1];
      if (step === undefined) throw new Error(`request ${requests.length} is not in the script: ${request.url}`);
      if (step instanceof Error) throw step;
      return typeof step === 'function' ? step(request) : step;
    },
  };
}

export const lost = () => new TypeError('fetch failed');

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** A stream that brings these pieces, and then ends, breaks or stays open. */
export function events(pieces: readonly string[], end: 'ends' | 'breaks' | 'stays'): Response {
  const encoder = new TextEncoder();
  const rest = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = rest.shift();
      if (piece !== undefined) controller.enqueue(encoder.encode(piece));
      else if (end === 'ends') controller.close();
      else if (end === 'breaks') controller.error(new TypeError('terminated'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

export function task(status: string, progress = 0) {
  return {
    id: 'task_1',
    status,
    progress,
    created: 1,
    model: 'm',
    kind: 'image',
    cost: 0,
    credits_cost: 0,
    reserved: 0,
  };
}

export function eventOf(id: number, record: object): string {
  return `event: task\nid: ${id}\ndata: ${JSON.stringify(record)}\n\n`;
}
