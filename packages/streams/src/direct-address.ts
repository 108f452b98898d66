/** Where workers bring answers without Redis between. */
export interface DirectAddress {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** The host at which workers reach it; absent: `host`, or this machine's first address where that is any. */
  advertise?: string | undefined;
}

interface DirectSettings {
  /** As `0.0.0.0:8090` or `[::]:8090`; `off`: nowhere. */
  listen: string;
  advertise?: string | undefined;
  redisUrl: string;
}

/** Undefined: all answers pass through Redis. That is so where Redis is spoken to over TLS, which these connections do not have. */
export function readDirectAddress({ listen, advertise, redisUrl }: DirectSettings): DirectAddress | undefined {
  if (listen === 'off' || redisUrl.startsWith('rediss')) return undefined;
  const [, inBrackets, plain, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(listen) ?? [];
  const host = inBrackets ?? plain;
  if (host === undefined || Number(port) > 65_535) throw new Error('SPEECH_LISTEN is neither host:port nor off');
  return { host, port: Number(port), advertise };
}
