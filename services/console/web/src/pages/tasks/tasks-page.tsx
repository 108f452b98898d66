import { PageHead } from '../../parts/page-head.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useStored } from '../../parts/use-stored.ts';
import { ColumnChoice } from './column-choice.tsx';
import { Filters } from './filters.tsx';
import { filtersOf } from './read-filters.ts';
import { SavedViews } from './saved-views.tsx';
import { TaskList } from './task-list.tsx';
import { say } from './texts.ts';

const HIDDEN_AT_FIRST: readonly string[] = ['parent'];

export default function TasksPage() {
  const [words, change] = useAddress();
  const [hidden, setHidden] = useStored('tasks-hidden-columns', HIDDEN_AT_FIRST);
  return (
    <>
      <PageHead title={say('title')}>
        <SavedViews />
        <ColumnChoice hidden={hidden} onChange={setHidden} />
      </PageHead>
      <Filters words={words} onChange={change} />
      <TaskList filters={filtersOf(words)} hidden={hidden} />
    </>
  );
}
