import { Button, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { dataQuery } from '../../api/data-query.ts';
import type { Answers } from '../../api/gateway.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Panel } from '../../parts/panel.tsx';
import { say } from './texts.ts';

type SecretAnswer = Answers['getWebhookSecret'];
const KEY = ['webhook-secret'];
const HOUR_SECONDS = 3600;
const OVERLAPS = [0, 1, 24, 168];

/** The secret that signs callbacks, asked for when it is to be seen, and its successor. */
export function Secret() {
  const [shown, setShown] = useState(false);
  const { data, error, refetch } = useQuery(
    dataQuery<SecretAnswer['data']>(KEY, '/v1/webhooks/secret', { enabled: shown, gcTime: 0 }),
  );
  return (
    <Panel title={say('secret')} aside={<Rotate />}>
      {error && <Failure error={error} retry={refetch} />}
      {data === undefined && !error && (
        <Button variant="default" leftSection={<Eye size={14} />} loading={shown} onClick={() => setShown(true)}>
          {say('secret.show')}
        </Button>
      )}
      {data !== undefined && <CodeBlock code={data.secret} />}
      {data?.previous_valid_until != null && (
        <p className="quiet">
          {say('secret.previous')} <Moment at={data.previous_valid_until} />
        </p>
      )}
    </Panel>
  );
}

function Rotate() {
  const queries = useQueryClient();
  const [hours, setHours] = useState('24');
  return (
    <ChangeButton<SecretAnswer['data']>
      button={{ size: 'compact-xs', leftSection: <RefreshCw size={12} /> }}
      title={say('rotate.title')}
      about={say('rotate.about')}
      action={say('rotate')}
      dangerous
      path="/v1/webhooks/secret/rotate"
      body={{ overlap_seconds: Number(hours) * HOUR_SECONDS }}
      affects={[]}
      asksReason={false}
      done={say('rotate.done')}
      onDone={(secret) => queries.setQueryData(KEY, secret)}
    >
      {() => (
        <Select
          label={say('rotate.overlap')}
          allowDeselect={false}
          data={OVERLAPS.map((value) => ({ value: String(value), label: say('hours', { count: value }) }))}
          value={hours}
          onChange={(value) => setHours(value ?? '24')}
        />
      )}
    </ChangeButton>
  );
}
