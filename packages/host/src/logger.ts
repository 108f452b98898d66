import { createLogger as createWinston, format, transports, type Logger as WinstonLogger } from 'winston';

/** Fields that a log line may carry; names are fixed here so that a search finds every service's lines. */
export interface LogFields {
  requestId?: string;
  taskId?: string;
  accountId?: string;
  keyId?: string;
  deliveryId?: string;
  attemptId?: string;
  channelId?: string;
  family?: string;
  model?: string;
  method?: string;
  route?: string;
  status?: number | string;
  outcome?: string;
  fault?: string;
  reason?: string;
  duty?: string;
  port?: number;
  count?: number;
  bytes?: number;
  attempt?: number;
  durationMs?: number;
  detail?: string;
  amountNano?: bigint | string;
  error?: unknown;
  settings?: Record<string, string | number | boolean | undefined>;
}

/** One event a line: `http.request`, `task.attempted`, `webhook.attempted`, and the lifecycle of a process. */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  debug(event: string, fields?: LogFields): void;
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  service: string;
  level: string;
}

const MAX_TEXT_CHARACTERS = 500;

/** What must never be read in a log, wherever it turns up in a text: keys of ours and of vendors, signatures, data URLs. */
const SECRET_PATTERNS: readonly RegExp[] = [
  /mg_[a-z0-9]{6,}_[a-z0-9]{8,}/gi,
  /whsec_[A-Za-z0-9+/=]+/g,
  /bearer\s+[^\s"',}]+/gi,
  /([?&](?:signature|expires|key|api_key|token)=)[^&\s"']+/gi,
  /data:[a-z]+\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]+/gi,
  /(postgres(?:ql)?|rediss?):\/\/[^\s@/]+@/gi,
];

/** JSON lines, or readable ones where a person watches. */
export function createLogger({ service, level }: LoggerOptions): Logger {
  const readable = process.stdout.isTTY === true || process.env['LOG_FORMAT'] === 'text';
  const winston = createWinston({
    level,
    defaultMeta: { service },
    format: format.combine(format.timestamp(), readable ? readableLines() : format.json()),
    transports: [new transports.Console()],
  });
  return wrap(winston, {});
}

function wrap(winston: WinstonLogger, bound: LogFields): Logger {
  const write =
    (level: string) =>
    (event: string, fields: LogFields = {}) => {
      if (!winston.isLevelEnabled(level)) return;
      winston.log(level, event, printable({ ...bound, ...fields }));
    };
  return {
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    debug: write('debug'),
    child: (fields) => wrap(winston, { ...bound, ...fields }),
  };
}

function readableLines() {
  return format.printf(({ timestamp, level, message, service: _service, ...fields }) => {
    const rest = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    return [String(timestamp).slice(11, 23), level.padEnd(5), String(message), ...rest].join(' ');
  });
}

function printable(fields: LogFields): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) line[name] = name === 'error' ? describeError(value) : printableValue(value);
  }
  return line;
}

function printableValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'string' ? redact(value) : value;
}

/** Name, message and first frames, cause included; never the error object itself, which may carry headers and bodies. */
function describeError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return redact(String(error));
  const frames = (error.stack ?? '')
    .split('\n')
    .slice(1, 6)
    .map((frame) => frame.trim());
  const cause = error.cause !== undefined && depth < 3 ? ` <- ${describeError(error.cause, depth + 1)}` : '';
  return `${redact(`${error.name}: ${error.message}`)}${depth === 0 ? ` ${frames.join(' ')}` : ''}${cause}`;
}

export function redact(text: string): string {
  let clean = text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text;
  for (const pattern of SECRET_PATTERNS) {
    clean = clean.replace(pattern, (_match, prefix) =>
      typeof prefix === 'string' && prefix.startsWith('?') ? `${prefix}***` : '***',
    );
  }
  return clean;
}
