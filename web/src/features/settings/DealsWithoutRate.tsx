import type { DealsWithoutRate as Preview } from '@forecourt/contract/deal-rates';
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { formatCount, formatMoney } from '../../platform/formats.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { texts } from '../../texts/settings.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { useApplyRates, withoutRateQuery } from './settings.queries.ts';

/** Minimum time between two counts in milliseconds, because deals change constantly. */
const REST_MS = 5000;

/** Shows administrators the number of rows without a rate, and applies the current rates to them. */
export function DealsWithoutRate(): ReactNode {
  const { data } = useLiveQuery(withoutRateQuery, 'deal', withoutRateQuery.queryKey, REST_MS);
  const [opened, setOpened] = useState<Preview | null>(null);
  const deals = (data?.deals ?? 0) + (data?.stillWithout ?? 0);
  return (
    <>
      {data && deals > 0 && (
        <Notice
          action={
            data.deals > 0 && (
              <Button variant="default" onClick={() => setOpened(data)}>
                {texts.applyRates}
              </Button>
            )
          }
        >
          {texts.withoutRate(deals)} {data.deals === 0 && texts.setRatesFirst}
        </Notice>
      )}
      {opened && <ApplyRates preview={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function ApplyRates({ preview, onClose }: { preview: Preview; onClose: () => void }): ReactNode {
  const { mutateAsync } = useApplyRates();
  // Only the displayed preview is applied: if the numbers have changed since, the new preview is displayed first.
  const [{ deals, commission, stillWithout, people }, setShown] = useState(preview);
  const form = useForm({
    initial: {},
    failed: texts.applyFailed,
    submit: async () => {
      try {
        await mutateAsync({ deals, commission });
        toastDone(texts.applied(deals));
        onClose();
      } catch (thrown) {
        if (thrown instanceof ApiError && thrown.code === 'CONFLICT') setShown(thrown.current as Preview);
        throw thrown;
      }
    },
  });
  return (
    <FormModal title={texts.applyRates} form={form} submitLabel={texts.apply(deals)} onClose={onClose}>
      <p>{texts.applyNote}</p>
      <table className="ui-table" data-figures>
        <thead>
          <tr>
            <th scope="col">{texts.person}</th>
            <th scope="col">{texts.deals}</th>
            <th scope="col">{texts.difference}</th>
          </tr>
        </thead>
        <tbody>
          {people
            .filter((person) => person.deals > 0)
            .map((person) => (
              <tr key={person.owner}>
                <th scope="row">{person.ownerName}</th>
                <td>{formatCount(person.deals)}</td>
                <td>{texts.more(formatMoney(person.commission))}</td>
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td>{formatCount(deals)}</td>
            <td>{texts.more(formatMoney(commission))}</td>
          </tr>
        </tfoot>
      </table>
      {stillWithout > 0 && <p>{texts.stillWithout(stillWithout)}</p>}
    </FormModal>
  );
}
