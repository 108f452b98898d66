import { Webhook } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCursorList } from '../../api/cursor-list.ts';
import { useAllowed } from '../../api/roles.ts';
import { say as sayFrame } from '../../frame/texts.ts';
import { Empty } from '../../parts/empty.tsx';
import { Filter } from '../../parts/filter.tsx';
import { Listing } from '../../parts/listing.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { deliveryColumns } from './columns.tsx';
import classes from './deliveries-page.module.css';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DELIVERIES, type Delivery, STATES } from './queries.ts';
import { RedeliverMany } from './redeliver-many.tsx';
import { Search } from './search.tsx';
import { say } from './texts.ts';

/** Callbacks of all accounts: which arrived, which did not, and why. */
export default function DeliveriesPage() {
  const [words, change] = useAddress();
  const state = words.get('state') ?? '';
  const query = { state, account_id: words.get('account_id') ?? '', task_id: words.get('task_id') ?? '' };
  const list = useCursorList<Delivery>([DELIVERIES], '/admin/v1/deliveries', query);
  const [opened, setOpened] = useState<string>();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const supports = useAllowed('support');
  const columns = useMemo(
    () => deliveryColumns({ onOpen: setOpened, chosen, onChoose: supports ? setChosen : undefined }),
    [chosen, supports],
  );
  // Chosen callbacks are on the screen, so another list begins with none.
  const narrow: typeof change = (changes) => {
    setChosen([]);
    change(changes);
  };
  const delivery = list.rows?.find(({ id }) => id === opened);
  return (
    <>
      <PageHead title={say('title')} about={say('about')}>
        {supports && (
          <RedeliverMany
            taskIds={chosen}
            state={query.task_id === '' ? state : ''}
            accountId={query.account_id}
            onDone={() => setChosen([])}
          />
        )}
      </PageHead>
      <div className={classes.filters}>
        <Search words={words} onChange={narrow} />
        <Filter
          name="state"
          label={say('state')}
          data={STATES.map((value) => ({ value, label: sayFrame(`status.${value}`) }))}
          words={words}
          onChange={narrow}
        />
      </div>
      <Listing
        caption={say('title')}
        list={list}
        columns={columns}
        empty={<Empty icon={Webhook} title={say('none')} />}
      />
      {delivery !== undefined && <DeliveryDialog delivery={delivery} onClose={() => setOpened(undefined)} />}
    </>
  );
}
