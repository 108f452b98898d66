import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { faultsByField } from '../../api/api-error.ts';
import { type Answers, change } from '../../api/gateway.ts';
import { Failure } from '../../parts/failure.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { submitted } from '../../parts/submitted.ts';
import classes from './test-event.module.css';
import { say } from './texts.ts';

/** Tries a receiver before anything depends on it. */
export function TestEvent() {
  const test = useMutation({
    mutationFn: async (url: string) =>
      (await change<Answers['testWebhook']>('POST', '/v1/webhooks/test', { url })).data,
  });
  const fault = faultsByField(test.error).get('url');
  const submit = submitted((fields) => test.mutate(String(fields.get('url')).trim()));
  return (
    <Panel title={say('test')}>
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          name="url"
          type="url"
          required
          aria-label={say('test.url')}
          placeholder="https://example.com/hooks"
          error={fault}
        />
        <Button type="submit" size="sm" leftSection={<Send size={14} />} loading={test.isPending}>
          {say('test.send')}
        </Button>
      </form>
      <div className={classes.outcome} role="status">
        {test.error && fault === undefined && <Failure error={test.error} />}
        {test.data && <Outcome {...test.data} />}
      </div>
    </Panel>
  );
}

function Outcome({ delivered, status, error, duration_ms }: Answers['testWebhook']['data']) {
  return (
    <>
      <Status tone={delivered ? 'good' : 'bad'} text={say(delivered ? 'state.delivered' : 'state.failed')} />{' '}
      {[status, error, `${duration_ms} ms`].filter((part) => part !== null).join(' · ')}
    </>
  );
}
