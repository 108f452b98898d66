import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createPrefixes } from '../screen/prefix';
import type { Screen } from '../screen/screen';
import { shortPath } from '../short-path';
import { type LogFile, openLogFile } from './log-file';
import { createNoticeLimit, type NoticeLimit } from './notice-limit';

/** Takes what one process prints, line by line. */
export interface Output {
  /** Takes a line of standard output. */
  line(text: string): void;
  /** Takes a line of standard error, where a process writes only what went wrong before or beside its own logging. */
  errorLine(text: string): void;
}

export interface ServiceLogs {
  outputOf(service: string): Output;
  /** Where a person finds a service's log: relative to this folder when it lies in it. */
  pathOf(service: string): string;
  close(): Promise<void>;
}

export interface ServiceLogsOptions {
  folder: string;
  screen: Screen;
  /** Shows every line, not warnings and errors alone. */
  isVerbose: boolean;
}

/** `2026-11-22 08:44:00.123 warn  event …`, as the services' logger writes it. */
const LOGGED = /^\d{4}-\d\d-\d\d (?<shown>\d\d:\d\d:\d\d\.\d{3} (?<level>\w+) .*)$/;
const NAME_WIDTH = 18;
/** Lines of the terminal for one notice: enough to show why a service does not start. */
const NOTICE_LINES = 3;

/** A file a service for all that it prints; the screen gets its warnings and errors, at most one a second. */
export function openServiceLogs({ folder, screen, isVerbose }: ServiceLogsOptions): ServiceLogs {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files: LogFile[] = [];
  const limits: NoticeLimit[] = [];
  const prefixOf = createPrefixes((line) => screen.print(line), screen);

  function open(service: string): LogFile {
    const onError = (error: Error) => screen.print(`mediagate: the log of ${service}: ${error.message}`);
    const file = openLogFile({ folder, name: `${service}.log`, onError });
    files.push(file);
    return file;
  }

  function noticesOf(service: string): NoticeLimit {
    const limit = createNoticeLimit((notice, leftOut) => {
      const more = leftOut === 0 ? '' : `(${leftOut} more left out) `;
      screen.printCut(`${service.padEnd(NAME_WIDTH)} ${more}${notice}`, 'yellow', NOTICE_LINES);
    });
    limits.push(limit);
    return limit;
  }

  const pathOf = (service: string) => shortPath(join(folder, `${service}.log`));
  return {
    pathOf,
    outputOf(service) {
      const file = open(service);
      const print = isVerbose ? prefixOf(service) : undefined;
      const notices = print === undefined ? noticesOf(service) : undefined;
      const take = (text: string, isNotice: boolean) => {
        file.write(text);
        const { shown = text } = LOGGED.exec(text)?.groups ?? {};
        print?.(shown);
        if (isNotice) notices?.add(shown);
      };
      return {
        line: (text) => take(text, isWarningOrError(text)),
        errorLine: (text) => take(text, text.trim() !== ''),
      };
    },
    async close() {
      for (const limit of limits) limit.close();
      await Promise.all(files.map((file) => file.close()));
    },
  };
}

function isWarningOrError(line: string): boolean {
  const level = LOGGED.exec(line)?.groups?.['level'];
  return level === 'warn' || level === 'error';
}
