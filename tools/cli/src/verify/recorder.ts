import type { HttpClient } from '@mediagate/upstreams';

type Request = Parameters<HttpClient['send']>[0];
export type Reply = Awaited<ReturnType<HttpClient['send']>>;

/** A client that keeps what each call was answered, until it is taken. */
export interface Recorder {
  http: HttpClient;
  /** The replies since the last time, in order. */
  take(): Reply[];
}

export function recordReplies(client: HttpClient): Recorder {
  let replies: Reply[] = [];
  return {
    http: {
      ...client,
      async send(request: Request) {
        const reply = await client.send(request);
        if (!request.isSecret) replies.push(reply);
        return reply;
      },
    },
    take() {
      const taken = replies;
      replies = [];
      return taken;
    },
  };
}
