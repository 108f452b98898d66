import { SegmentedControl } from '@mantine/core';
import { BellRing } from 'lucide-react';
import { useMemo } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { Empty } from '../../parts/empty.tsx';
import { Filter } from '../../parts/filter.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useAudience } from './audience.ts';
import { noticeColumns } from './columns.tsx';
import classes from './notices-page.module.css';
import { NOTICES, type Notice } from './queries.ts';
import { Settings } from './settings.tsx';
import { Targets } from './targets.tsx';
import { say } from './texts.ts';

const STATES = ['standing', 'resolved', 'all'] as const;

/** The notices that somebody should know of, where they are sent, and when. */
export default function NoticesPage() {
  const audience = useAudience();
  const { isOperator, root, kinds } = audience;
  const [words, change] = useAddress();
  const state = words.get('state') ?? 'standing';
  const kind = words.get('kind') ?? '';
  const list = useCursorList<Notice>([NOTICES, root], root, { state: state === 'all' ? '' : state, kind });
  const columns = useMemo(() => noticeColumns(isOperator), [isOperator]);
  return (
    <>
      <PageHead title={say('title')} about={say(isOperator ? 'about.operator' : 'about.account')} />
      <div className={classes.head}>
        <SegmentedControl
          size="xs"
          aria-label={say('state')}
          data={STATES.map((value) => ({ value, label: say(`state.${value}`) }))}
          value={state}
          onChange={(value) => change({ state: value })}
        />
        <Filter
          name="kind"
          label={say('kind')}
          data={kinds.map((value) => ({ value, label: say(`kind.${value}`) }))}
          words={words}
          onChange={change}
        />
      </div>
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={BellRing} title={say(state === 'standing' ? 'none.standing' : 'none')} />}
      />
      <div className={classes.below}>
        <Targets audience={audience} />
        <Settings audience={audience} />
      </div>
    </>
  );
}
