import { SegmentedControl } from '@mantine/core';
import { Webhook } from 'lucide-react';
import { useMemo } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import type { Task } from '../../api/task.ts';
import { Empty } from '../../parts/empty.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import classes from './callbacks-page.module.css';
import { callbackColumns } from './columns.tsx';
import { RedeliverAll } from './redeliver-all.tsx';
import { Secret } from './secret.tsx';
import { TestEvent } from './test-event.tsx';
import { say } from './texts.ts';

const STATES = ['failed', 'pending', 'delivered'] as const;

/** The callbacks that arrived and those that did not, and how receivers know that they are ours. */
export default function CallbacksPage() {
  const [words, change] = useAddress();
  const state = words.get('state') ?? 'failed';
  const list = useCursorList<Task>(['tasks', 'callbacks'], '/v1/tasks', { callback: state });
  const columns = useMemo(callbackColumns, []);
  return (
    <>
      <PageHead title={say('title')} about={say('about')} />
      <div className={classes.settings}>
        <Secret />
        <TestEvent />
      </div>
      <div className={classes.head}>
        <SegmentedControl
          size="xs"
          aria-label={say('state')}
          data={STATES.map((value) => ({ value, label: say(`state.${value}`) }))}
          value={state}
          onChange={(value) => change({ state: value })}
        />
        {state === 'failed' && <RedeliverAll tasks={list.rows ?? []} />}
      </div>
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={Webhook} title={say(state === 'failed' ? 'none.failed' : 'none')} />}
      />
    </>
  );
}
