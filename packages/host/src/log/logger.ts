import type { Writable } from 'node:stream';
import { createLogger as createWinston, format, transports, type Logger as WinstonLogger } from 'winston';
import { traceFields } from '../tracing/contexts';
import { describeError, redact, redactValue } from './redact';
import { TurnWriter } from './turn-writer';

/** Fields that a log line may carry; names are fixed here so that a search finds every service's lines. */
export interface LogFields {
  /** The service that wrote the line, where several share a process. */
  service?: string;
  requestId?: string;
  taskId?: string;
  accountId?: string;
  keyId?: string;
  /** The token, or the user of the console, that operates. */
  operatorId?: string;
  deliveryId?: string;
  /** The id of a notice's message to one target. */
  messageId?: string;
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
  job?: string;
  port?: number;
  count?: number;
  bytes?: number;
  attempt?: number;
  durationMs?: number;
  detail?: string;
  /** The digest of the configuration file, or of a closed month. */
  digest?: string;
  /** The version of the settings that operators have laid over the file. */
  version?: string;
  amountNano?: bigint | string;
  error?: unknown;
  settings?: Record<string, string | number | boolean | undefined>;
}

/**
 * One event a line: `http.request`, `task.attempted`, `webhook.attempted`, and the lifecycle of a process. In a trace, a line
 * has its ids as `trace_id` and `span_id`.
 */
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
  /** Absent: readable lines on a terminal, JSON lines elsewhere. */
  format?: 'text' | 'json' | undefined;
  /** Default: standard output, once a turn of the event loop. */
  output?: Writable;
}

/** JSON lines, or readable ones where a person watches. Everything on a line has been through redaction. */
export function createLogger({ service, level, format: wanted, output }: LoggerOptions): Logger {
  const readable = wanted === undefined ? isTerminal(output ?? process.stdout) : wanted === 'text';
  const winston = createWinston({
    level,
    format: readable ? readableLines() : jsonLines(),
    transports: [new transports.Stream({ stream: output ?? new TurnWriter(process.stdout) })],
  });
  return wrap(winston, { service });
}

function isTerminal(output: Writable): boolean {
  return 'isTTY' in output && output.isTTY === true;
}

function wrap(winston: WinstonLogger, bound: LogFields): Logger {
  const write = (level: string) => {
    // Asked once: the answer is looked for in every transport, and each request asks.
    if (!winston.isLevelEnabled(level)) return ignore;
    return (event: string, fields: LogFields = {}) => {
      const line: Line = { level, message: redact(event), timestamp: new Date().toISOString() };
      add(line, bound);
      add(line, fields);
      // As one object: the library copies what comes in parts.
      winston.log(Object.assign(line, traceFields()));
    };
  };
  return {
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    debug: write('debug'),
    child: (fields) => wrap(winston, { ...bound, ...fields }),
  };
}

function ignore(): void {}

type Line = Record<string, unknown> & { level: string; message: string };

/** The key under which the library finds the text that it prints. */
const PRINTED = Symbol.for('message');

/** The engine itself writes the JSON: after redaction every value is one that JSON has. */
const jsonLines = format((line) => {
  line[PRINTED] = JSON.stringify(line);
  return line;
});

function readableLines() {
  return format.printf(({ timestamp, level, message, service: _service, ...fields }) => {
    const rest = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    return [String(timestamp).slice(0, 23).replace('T', ' '), level.padEnd(5), String(message), ...rest].join(' ');
  });
}

function add(line: Line, fields: LogFields): void {
  for (const name in fields) {
    const value = fields[name as keyof LogFields];
    if (value !== undefined) line[name] = name === 'error' ? describeError(value) : redactValue(value, name);
  }
}
