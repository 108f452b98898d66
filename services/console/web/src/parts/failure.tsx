import { Button } from '@mantine/core';
import { CircleAlert, RotateCw } from 'lucide-react';
import { ApiError } from '../api/api-error.ts';
import { say } from '../frame/texts.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './failure.module.css';

/** What failed in the server's words, the id to quote, and another try. */
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

/** Without a way on: for notices. */
export function faultText(error: unknown): string {
  if (!(error instanceof ApiError)) return say('failure.page');
  if (error.status === 0) return say('failure.unreachable');
  return error.message;
}
