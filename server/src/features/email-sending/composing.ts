import type { Deal } from '@forecourt/contract/deals';
import type { EmailTemplateInput, Preview } from '@forecourt/contract/email-templates';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import type { DealershipsService } from '../dealerships/dealerships.service.ts';
import type { DealsService } from '../deals/deals.service.ts';
import type { EmailSettingsService } from '../email-settings/email-settings.service.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { canSend } from './email-sending.policy.ts';
import { contactsFor, narrowed, type Recipients } from './recipients.ts';
import { render, TooLarge, type Rendered } from './render/render.ts';
import { resolveVariables, type Subjects } from './variable-values.ts';

export type ComposingParts = {
  templates: EmailTemplatesService;
  settings: EmailSettingsService;
  dealerships: DealershipsService;
  deals: DealsService;
  clock: Clock;
  config: Pick<Config, 'COMPANY_NAME'>;
};

/** What a message is asked to be: about which records, for whom, with which values. */
export type Request = {
  dealId?: string | undefined;
  dealershipId?: string | undefined;
  to?: string[] | undefined;
  cc?: string[] | undefined;
  variables?: Record<string, string> | undefined;
};

/** A template as it is saved, or as somebody is writing it. */
export type Source = { id: string | null; version: number; content: EmailTemplateInput };

type Dealership = NonNullable<Awaited<ReturnType<DealershipsService['forMail']>>>;

/** A message as it would go out, and the sentences that say why it cannot. */
export type Composed = Recipients & {
  source: Source;
  deal: Deal | undefined;
  dealership: Dealership | undefined;
  from: Preview['from'];
  rendered: Rendered;
  problems: string[];
};

const NOTHING: Rendered = { subject: '', html: '', text: '' };

/**
 * Puts messages together, for preview and send alike, so that what is shown is what goes out. Values and
 * recipients come from what the sender may see. The name of the contact is told to whoever may send, since
 * they see the recipients; the dealership's address needs the right to view dealerships.
 */
export function createComposing({ templates, settings, dealerships, deals, clock, config }: ComposingParts) {
  /** The records that a message is about. Throws where the viewer may not write about them. */
  async function recordsOf(ctx: Context, { dealId, dealershipId }: Request) {
    const deal = dealId === undefined ? undefined : await deals.forMail(ctx, dealId);
    if (dealId !== undefined && !deal) throw new AppError('NOT_FOUND');
    if (deal && deal.abilities.email !== true) {
      throw new AppError('INSUFFICIENT_PERMISSIONS', { details: deal.abilities.email });
    }
    if (deal && dealershipId !== undefined && dealershipId !== deal.dealershipId) {
      throw invalidField('dealershipId', 'The deal belongs to another dealership');
    }
    const id = deal?.dealershipId ?? dealershipId;
    if (id === undefined) return { deal, dealership: undefined };
    const dealership = canSend(ctx.viewer) ? await dealerships.forMail(ctx, id) : undefined;
    if (!dealership) throw new AppError('NOT_FOUND');
    return { deal, dealership };
  }

  /** The saved template, for those who may open it or, where the dealership uses it, may send with it. */
  async function savedSource(ctx: Context, id: string, dealership: Dealership | undefined): Promise<Source> {
    const found = await templates.forMail(ctx, id);
    if (!found) throw new AppError('NOT_FOUND');
    const { id: _id, version, ...content } = found.template;
    if (!mayUse(ctx.viewer, { id, name: content.name, mayOpen: found.mayOpen }, dealership)) {
      throw new AppError('NOT_FOUND');
    }
    return { id, version, content };
  }

  async function compose(
    ctx: Context,
    request: Request,
    template: { id: string } | { written: EmailTemplateInput; id?: string | undefined },
  ): Promise<Composed> {
    const { deal, dealership } = await recordsOf(ctx, request);
    const source: Source =
      'written' in template
        ? { id: template.id ?? null, version: 1, content: template.written }
        : await savedSource(ctx, template.id, dealership);
    const sender = { name: ctx.viewer.name, email: ctx.viewer.email };
    const contacts = dealership
      ? contactsFor(dealership.contacts, source.content.name, dealership.default_template_id === source.id)
      : { to: [], cc: [], isTest: false };
    const recipients = narrowed(contacts, sender, request);
    const subjects: Subjects = {
      deal,
      dealership: dealership && {
        name: dealership.name,
        address: dealerships.canView(ctx.viewer) ? dealership.address : undefined,
      },
      contact: recipients.isTest ? contacts.to[0] : recipients.to[0],
      sender,
      company: { name: config.COMPANY_NAME },
      today: clock.businessDate(),
    };
    const { values, missing } = resolveVariables(source.content.variables, request.variables ?? {}, subjects);
    // Never sent like this; a preview shows where something is missing.
    for (const { key, label } of missing) values.set(key, `[${label || key}]`);
    const account = await settings.senderAccount(ctx.db, ctx.viewer.userId);
    const problems = [
      ...templateProblems(source),
      ...(account
        ? []
        : ['Your mail server is not configured. Ask an administrator to set it up in Email Settings.']),
      ...(account?.pausedBecause ? [account.pausedBecause] : []),
      ...(recipients.isTest ? [] : recipientProblems(dealership, source, recipients)),
      ...missing.map(
        ({ key, label }) =>
          `${label || key} has no value${deal ? ` in the deal of ${deal.customerName}` : ''}.`,
      ),
    ];
    return {
      ...recipients,
      source,
      deal,
      dealership,
      from: account ? { name: sender.name, email: account.fromAddress } : null,
      rendered: renderOr(problems, source, values),
      problems,
    };
  }

  /** The active templates that the viewer may send about a deal: `savedSource` as a list. */
  async function usableFor(ctx: Context, dealId: string) {
    const { dealership } = await recordsOf(ctx, { dealId });
    const usable = (await templates.listForMail(ctx)).filter(
      ({ isActive, ...template }) => isActive && mayUse(ctx.viewer, template, dealership),
    );
    return usable
      .map(({ id, name }) => ({ _id: id, name, isDefault: dealership?.default_template_id === id }))
      .sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
  }

  return { compose, usableFor };
}

/** Who may open a template may use it; others where the dealership's mail is written with it anyway. */
function mayUse(
  viewer: Viewer,
  template: { id: string; name: string; mayOpen: boolean },
  dealership: Dealership | undefined,
): boolean {
  const isUsedThere =
    dealership?.default_template_id === template.id ||
    dealership?.contacts.some(
      ({ active, templateName }) => active && templateName.toLowerCase() === template.name.toLowerCase(),
    );
  return template.mayOpen || (canSend(viewer) && isUsedThere === true);
}

function templateProblems({ content }: Source): string[] {
  return content.status === 'active'
    ? []
    : [`${content.name} is a draft. Activate the template to send with it.`];
}

function recipientProblems(
  dealership: Dealership | undefined,
  { content }: Source,
  { to, cc }: Recipients,
): string[] {
  if (!dealership) return ['Choose the deal or the dealership that this is about.'];
  const problems = dealership.active ? [] : [`${dealership.name} is inactive.`];
  if (to.length > 0) return problems;
  const who = cc.length > 0 ? 'only contacts in Cc' : 'no active contact';
  return [...problems, `${dealership.name} has ${who} for ${content.name}. Nobody is in To.`];
}

function renderOr(problems: string[], source: Source, values: Map<string, string>): Rendered {
  try {
    return render(source.content, values);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    problems.push('The message is too large to send.');
    return NOTHING;
  }
}
