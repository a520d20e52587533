import { commissionType } from '@forecourt/contract/commission-type';
import type { Dealership } from '@forecourt/contract/dealerships';
import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import Building2 from 'lucide-react/icons/building-2';
import ChevronDown from 'lucide-react/icons/chevron-down';
import FileUp from 'lucide-react/icons/file-up';
import Plus from 'lucide-react/icons/plus';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import Share2 from 'lucide-react/icons/share-2';
import { useMemo, useState, type ReactNode, Suspense } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { templatesKey, templatesQuery } from '../../platform/directory.ts';
import { useLiveQuery, useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { refreshPermissions, usePermissions } from '../../platform/permissions.ts';
import { texts as importTexts } from '../../texts/dealership-import.ts';
import { texts } from '../../texts/dealerships.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import { abilityText } from '../../ui/ability.ts';
import { ButtonMenu, MenuAction } from '../../ui/ButtonMenu.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { RowAction, ToggleAction } from '../../ui/RowAction.tsx';
import { SharedWith } from '../../ui/sharing/SharedWith.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { valueColumn, activeColumn } from '../../ui/table/columns.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useOpener } from '../../ui/use-opener.ts';
import { DealershipForm, defaultTemplateOf } from './DealershipForm.tsx';
import { dealershipsQuery, useSetActive, useDeleteDealership } from './dealerships.queries.ts';
import { shareLevels, ShareDealerships, TransferDealerships } from './DealershipSharing.tsx';
import { useDealershipAccess } from './use-dealership-access.ts';

const DealershipImport = lazyPart(() => import('./DealershipImport.tsx'));
const DealershipPage = lazyPart(() => import('./DealershipPage.tsx'));

type Template = Pick<EmailTemplateSummary, 'name' | 'status'>;

type ColumnsOptions = {
  templateOf: (id: string | null) => Template | undefined;
  /** Undefined unless the user is an administrator: others do not see the shares. */
  onShare: ((dealership: Dealership) => void) | undefined;
};

const columnsOf = ({ templateOf, onShare }: ColumnsOptions): readonly DataColumn<Dealership>[] => [
  valueColumn({
    id: 'name',
    header: texts.name,
    width: '220px',
    wideOnly: false,
    of: ({ name }) => name,
    filter: 'text',
    render: ({ _id, name }) => (
      <div className="ui-stack ui-gap-0">
        <span className="ui-strong">
          <Link className="ui-plain" to={paths.dealershipPage(_id)} state={{ canGoBack: true }}>
            {name}
          </Link>
        </span>
        <span className="ui-quiet">{texts.commission[commissionType(name)]}</span>
      </div>
    ),
  }),
  valueColumn({ id: 'address', header: texts.address, of: ({ address }) => address, filter: 'text' }),
  valueColumn({
    id: 'template',
    header: texts.defaultTemplate,
    width: '160px',
    of: ({ defaultEmailTemplateId: id }) => templateOf(id)?.name ?? null,
    filter: 'choice',
    render: ({ defaultEmailTemplateId: id }) => <DefaultTemplate template={templateOf(id)} />,
  }),
  valueColumn({
    id: 'contacts',
    header: texts.contacts,
    width: '110px',
    of: ({ contacts }) => contacts.length,
    filter: 'number',
    render: ({ contacts }) => texts.contactCount(contacts.length),
  }),
  ...(onShare === undefined ? [] : [sharedWithColumn(onShare)]),
  activeColumn(texts, { width: '100px', wideOnly: false }),
];

const sharedWithColumn = (onShare: (dealership: Dealership) => void): DataColumn<Dealership> => ({
  id: 'sharedWith',
  header: sharing.sharedWith,
  width: '130px',
  sortBy: ({ sharedWith }) => sharedWith.length,
  filterBy: { kind: 'choice', of: ({ sharedWith }) => sharedWith.map(({ user }) => user?.name ?? '') },
  render: (dealership) => (
    <SharedWith shares={dealership.sharedWith} levels={shareLevels} onOpen={() => onShare(dealership)} />
  ),
  wideOnly: 'desktop',
});

/** The open dialog; `dealership` is undefined for a new one. */
type Open =
  | { kind: 'form'; dealership: Dealership | undefined }
  | { kind: 'delete'; dealership: Dealership }
  | { kind: 'share' | 'transfer'; dealerships: readonly Dealership[] };

/** All dealerships, and their dialogs (docs/product/dealerships.md, Dealership Settings screen). */
export default function DealershipsScreen(): ReactNode {
  const access = useDealershipAccess();
  const permissions = usePermissions();
  const { isAdmin } = permissions;
  const dealerships = useLiveQuery({ ...dealershipsQuery, enabled: access === 'canView' }, 'dealership');
  const templates = useQuery({ ...templatesQuery, enabled: access === 'canView' });
  useLiveRefresh('email-template', templatesKey);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const navigate = useNavigate();
  const { dealership: linkedId }: { dealership?: string } = useSearch({ strict: false });
  const { dealershipId }: { dealershipId?: string } = useParams({ strict: false });
  const [chosenOpen, setOpen] = useState<Open | null>(null);
  const close = (): void => {
    setOpen(null);
    if (linkedId !== undefined) void navigate({ to: paths.dealerships, replace: true });
  };
  const deselect = (): void => setSelected(new Set());
  const share = isAdmin
    ? (...shared: Dealership[]): void => setOpen({ kind: 'share', dealerships: shared })
    : undefined;

  const visibleTemplates = templates.data?.items;
  const columns = useMemo(
    () =>
      columnsOf({
        templateOf: (id) => defaultTemplateOf(visibleTemplates, id),
        onShare: isAdmin ? (dealership) => setOpen({ kind: 'share', dealerships: [dealership] }) : undefined,
      }),
    [visibleTemplates, isAdmin],
  );
  const rows = dealerships.data?.items;
  const linked = rows?.find(({ _id, abilities }) => _id === linkedId && abilities.edit === true);
  const open = chosenOpen ?? (linked ? { kind: 'form', dealership: linked } : null);
  const chosen = rows?.filter(({ _id }) => selected.has(_id)) ?? [];
  const canEdit = permissions.can('dealershipConfiguration', 'editDealerships');

  return (
    <>
      {/* The list stays mounted below the page of a dealership. */}
      <div hidden={dealershipId !== undefined}>
        <ListScreen
          texts={canEdit ? texts : { ...texts, emptyNext: undefined }}
          actions={
            <>
              <SelectionMenu
                chosen={chosen}
                onShare={share && (() => share(...chosen))}
                onTransfer={isAdmin ? () => setOpen({ kind: 'transfer', dealerships: chosen }) : undefined}
                onDone={deselect}
              />
              {canEdit && <ImportDealershipsButton />}
            </>
          }
          add={
            canEdit && (
              <Button leftSection={<Plus />} onClick={() => setOpen({ kind: 'form', dealership: undefined })}>
                {texts.add}
              </Button>
            )
          }
          query={[dealerships, templates]}
          failure={
            access === 'late' && (
              <LoadFailed error={null} message={texts.loadFailed} retry={() => void refreshPermissions()} />
            )
          }
          name="dealerships"
          columns={columns}
          rows={templates.isPending ? undefined : rows}
          rowKey={({ _id }) => _id}
          rowLabel={({ name }) => name}
          isMuted={({ active }) => !active}
          selected={selected}
          onSelectedChange={setSelected}
          rowActions={(dealership) => (
            <DealershipActions
              dealership={dealership}
              onEdit={() => setOpen({ kind: 'form', dealership })}
              onShare={share && (() => share(dealership))}
              onDelete={() => setOpen({ kind: 'delete', dealership })}
            />
          )}
          icon={<Building2 />}
        >
          {open?.kind === 'form' && <DealershipForm dealership={open.dealership} onClose={close} />}
          {open?.kind === 'share' && (
            <ShareDealerships dealerships={open.dealerships} onDone={deselect} onClose={close} />
          )}
          {open?.kind === 'transfer' && (
            <TransferDealerships dealerships={open.dealerships} onDone={deselect} onClose={close} />
          )}
          {open?.kind === 'delete' && <DeleteDealership dealership={open.dealership} onClose={close} />}
        </ListScreen>
      </div>
      <Suspense>
        {dealershipId !== undefined && <DealershipPage key={dealershipId} id={dealershipId} />}
      </Suspense>
    </>
  );
}

type SelectionMenuProps = {
  chosen: readonly Dealership[];
  /** Undefined unless the user is an administrator. */
  onShare: (() => void) | undefined;
  onTransfer: (() => void) | undefined;
  /** Called after all were changed. */
  onDone: () => void;
};

/** Actions on the selected dealerships (docs/product/dealerships.md, Dealership Settings screen). */
function SelectionMenu({ chosen, onShare, onTransfer, onDone }: SelectionMenuProps): ReactNode {
  const setActive = useSetActive();
  const { button, part } = useOpener('menu');
  const refused = chosen.find(({ abilities }) => abilities.toggle !== true)?.abilities.toggle;
  const canToggle = abilityText(refused ?? true, texts.reasons);

  const apply = (active: boolean): void =>
    void setActive.mutateAsync({ body: { ids: chosen.map(({ _id }) => _id), active } }).then(
      ({ total }) => {
        toastDone(active ? texts.manyActivated(total) : texts.manyDeactivated(total));
        onDone();
      },
      (thrown: unknown) => toastFailed(thrown, texts.statusFailed),
    );

  return (
    <>
      <Button
        variant="default"
        disabled={chosen.length === 0}
        loading={setActive.isPending}
        rightSection={<ChevronDown size={14} />}
        {...button}
      >
        {chosen.length === 0 ? texts.actions : `${texts.actions} (${chosen.length})`}
      </Button>
      {part && (
        <ButtonMenu part={part} position="bottom-end">
          {onShare && (
            <MenuAction icon={<Share2 />} onRun={onShare}>
              {texts.shareSelected}
            </MenuAction>
          )}
          <MenuAction icon={<Power />} ability={canToggle} onRun={() => apply(true)}>
            {texts.activateSelected}
          </MenuAction>
          <MenuAction icon={<PowerOff />} ability={canToggle} isReasonKnown onRun={() => apply(false)}>
            {texts.deactivateSelected}
          </MenuAction>
          {onTransfer && (
            <MenuAction icon={<ArrowRightLeft />} onRun={onTransfer}>
              {texts.transferSelected}
            </MenuAction>
          )}
        </ButtonMenu>
      )}
    </>
  );
}

function DefaultTemplate({ template }: { template: Template | undefined }): ReactNode {
  if (!template) return <span className="ui-quiet">{texts.noTemplate}</span>;
  return (
    <div className="ui-stack ui-gap-0">
      <span>{template.name}</span>
      {template.status === 'draft' && <StatusBadge tone="warn">{texts.draftNote}</StatusBadge>}
    </div>
  );
}

type DealershipActionsProps = {
  dealership: Dealership;
  onEdit: () => void;
  /** Undefined unless the user is an administrator. */
  onShare: (() => void) | undefined;
  onDelete: () => void;
};

function DealershipActions({ dealership, onEdit, onShare, onDelete }: DealershipActionsProps): ReactNode {
  const { mutateAsync, isPending } = useSetActive();
  const { _id, name, active, abilities } = dealership;
  const row = { name, reasons: texts.reasons };
  return (
    <>
      <RowAction {...row} action="edit" ability={abilities.edit} onClick={onEdit} />
      {onShare && <RowAction {...row} action="share" onClick={onShare} />}
      <ToggleAction
        name={name}
        active={active}
        texts={texts}
        ability={abilities.toggle}
        isSaving={isPending}
        save={() => mutateAsync({ body: { ids: [_id], active: !active } })}
      />
      <RowAction {...row} action="delete" ability={abilities.delete} onClick={onDelete} />
    </>
  );
}

type DeleteDealershipProps = { dealership: Dealership; onClose: () => void };

/** A dealership with deals cannot be deleted: the dialog shows how many it has. */
function DeleteDealership({ dealership, onClose }: DeleteDealershipProps): ReactNode {
  const { mutateAsync } = useDeleteDealership();
  const { _id, name, contacts } = dealership;
  const remove = async (): Promise<void> => {
    try {
      await mutateAsync({ params: { id: _id } });
      toastDone(texts.deleted);
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === 'IN_USE') throw thrown;
      toastFailed(thrown, texts.deleteFailed);
    }
  };
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      confirmLabel={texts.delete}
      destructive
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{texts.deleteQuestion}</p>
      <p className="ui-box ui-strong ui-mt-3">{texts.deleteWhat(name, contacts.length)}</p>
    </ConfirmDialog>
  );
}

function ImportDealershipsButton(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<FileUp />} onClick={() => setOpen(true)}>
        {importTexts.open}
      </Button>
      <Suspense>{open && <DealershipImport onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
