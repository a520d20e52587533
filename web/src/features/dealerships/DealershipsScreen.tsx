import type { Dealership } from '@forecourt/contract/dealerships';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import Building2 from 'lucide-react/icons/building-2';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { refreshPermissions, usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/dealerships.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { templatesKey, templatesQuery } from '../email-templates/email-templates.queries.ts';
import { DealershipActions } from './DealershipActions.tsx';
import { DealershipForm } from './DealershipForm.tsx';
import { dealershipColumns } from './dealerships.columns.tsx';
import { dealershipsKey, dealershipsQuery } from './dealerships.queries.ts';
import { ShareDealerships, TransferDealerships } from './DealershipSharing.tsx';
import { DeleteDealership } from './DeleteDealership.tsx';
import { ImportDealershipsButton } from './ImportDealershipsButton.tsx';
import { SelectionMenu } from './SelectionMenu.tsx';
import { useDealershipAccess } from './use-dealership-access.ts';

/** The open dialog; `id` undefined: a new dealership. */
type Open =
  | { kind: 'form'; dealership: Dealership | undefined }
  | { kind: 'delete'; dealership: Dealership }
  | { kind: 'share' | 'transfer'; dealerships: readonly Dealership[] };

/**
 * Dealership Settings (docs/product/dealerships.md, Dealership Settings screen): all dealerships, their state, and the
 * dialogs that change them.
 */
export function DealershipsScreen(): ReactNode {
  const access = useDealershipAccess();
  const permissions = usePermissions();
  const { isAdmin } = permissions;
  const dealerships = useQuery({ ...dealershipsQuery, enabled: access === 'canView' });
  const templates = useQuery({ ...templatesQuery, enabled: access === 'canView' });
  useLiveRefresh('dealership', dealershipsKey);
  useLiveRefresh('email-template', templatesKey);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const navigate = useNavigate();
  const { dealership: wanted }: { dealership?: string } = useSearch({ strict: false });
  const [chosenOpen, setOpen] = useState<Open | null>(null);
  const close = (): void => {
    setOpen(null);
    if (wanted !== undefined) void navigate({ to: paths.dealerships, replace: true });
  };
  const deselect = (): void => setSelected(new Set());

  const known = templates.data?.items;
  const columns = useMemo(
    () =>
      dealershipColumns(
        (id) => known?.find(({ _id }) => _id === id),
        isAdmin ? (dealership) => setOpen({ kind: 'share', dealerships: [dealership] }) : undefined,
      ),
    [known, isAdmin],
  );
  const rows = dealerships.data?.items;
  const linked = rows?.find(({ _id, abilities }) => _id === wanted && abilities.edit === true);
  const open = chosenOpen ?? (linked ? { kind: 'form', dealership: linked } : null);
  const chosen = rows?.filter(({ _id }) => selected.has(_id)) ?? [];
  const canEdit = permissions.can('dealershipConfiguration', 'editDealerships');

  const add = canEdit && (
    <Button leftSection={<Plus />} onClick={() => setOpen({ kind: 'form', dealership: undefined })}>
      {texts.add}
    </Button>
  );

  return (
    <Page>
      <PageHeader
        title={texts.title}
        note={texts.note}
        actions={
          <>
            <SelectionMenu
              chosen={chosen}
              forAdministrators={
                isAdmin
                  ? {
                      onShare: () => setOpen({ kind: 'share', dealerships: chosen }),
                      onTransfer: () => setOpen({ kind: 'transfer', dealerships: chosen }),
                    }
                  : undefined
              }
              onDone={deselect}
            />
            {canEdit && <ImportDealershipsButton />}
            {rows?.length !== 0 && add}
          </>
        }
      />
      {access === 'late' ? (
        <LoadFailed error={null} message={texts.loadFailed} retry={() => void refreshPermissions()} />
      ) : (
        <Loaded of={[dealerships, templates]} message={texts.loadFailed}>
          <DataTable
            label={texts.table}
            name="dealerships"
            columns={columns}
            rows={templates.isPending ? undefined : rows}
            rowKey={({ _id }) => _id}
            rowLabel={({ name }) => name}
            isMuted={({ active }) => !active}
            selected={selected}
            onSelectedChange={setSelected}
            empty={
              <EmptyState icon={<Building2 />} title={texts.empty} action={add || undefined}>
                {canEdit ? texts.emptyNext : undefined}
              </EmptyState>
            }
            actions={(dealership) => (
              <DealershipActions
                dealership={dealership}
                onEdit={() => setOpen({ kind: 'form', dealership })}
                onShare={isAdmin ? () => setOpen({ kind: 'share', dealerships: [dealership] }) : undefined}
                onDelete={() => setOpen({ kind: 'delete', dealership })}
              />
            )}
          />
        </Loaded>
      )}
      {open?.kind === 'form' && <DealershipForm dealership={open.dealership} onClose={close} />}
      {open?.kind === 'share' && (
        <ShareDealerships dealerships={open.dealerships} onDone={deselect} onClose={close} />
      )}
      {open?.kind === 'transfer' && (
        <TransferDealerships dealerships={open.dealerships} onDone={deselect} onClose={close} />
      )}
      {open?.kind === 'delete' && <DeleteDealership dealership={open.dealership} onClose={close} />}
    </Page>
  );
}
