import { Button } from '@mantine/core';
import { CircleAlert, RotateCw } from 'lucide-react';
import { ApiError } from '../api/api-error.ts';
import type en from '../frame/locales/en.json';
import { say } from '../frame/texts.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './failure.module.css';

type RefusalText = Extract<keyof typeof en, `refusal.${string}`>;

/** The failure, the id to quote, and a button to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: (() => unknown) | undefined }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div className={classes.failure} role="alert">
      <CircleAlert size={18} aria-hidden />
      <div>
        <p className={classes.text}>{faultText(error)}</p>
        {requestId !== undefined && (
          <p className={classes.request}>
            {say('failure.request')} <code>{requestId}</code> <CopyButton value={requestId} />
          </p>
        )}
        {retry !== undefined && (
          <Button variant="default" leftSection={<RotateCw size={14} />} onClick={() => void retry()}>
            {say('failure.retry')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The text of a failure alone, for notices. */
export function faultText(error: unknown): string {
  if (!(error instanceof ApiError)) return say('failure.page');
  if (error.status === 0) return say('failure.unreachable');
  return error.isOfConsole ? refusalText(error) : error.message;
}

/** `say` gives the key back where there is no text: of reasons that no user of the page meets. */
function refusalText({ reason, message }: ApiError): string {
  const key = `refusal.${reason}`;
  const text = say(key as RefusalText);
  return text === key ? message : text;
}
