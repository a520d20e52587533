import { MAX_DEAL_ITEMS, MAX_ITEM_QUANTITY } from '@forecourt/contract/deal-limits';

/** Texts of the items of a deal. */
export const texts = {
  title: (customer: string) => (customer === '' ? 'Items' : `Items of ${customer}`),
  item: 'Item',
  quantity: 'Quantity',
  price: 'Unit price',
  amount: 'Amount',
  total: 'Together',
  add: 'Add an item',
  choose: 'Choose items',
  addHint: 'Type to search',
  nothingFound: 'No item of this name. Items are added in Item Configuration.',
  remove: (name: string) => `Remove ${name}`,
  none: 'Nothing is sold in this deal yet. Add the first item above.',
  save: 'Save items',
  quantityOf: (name: string) => `Quantity of ${name}`,
  priceOf: (name: string) => `Unit price of ${name}`,
  byServer: 'when saved',
  saleFollows: 'The sale becomes the sum of the items.',
  saleStays: (sale: string) => `The sale of ${sale} was typed and stays.`,
  atPrice: (item: string, price: string) => `${item} at ${price}`,
  unknown: (name: string) => `There is no item called “${name}”`,
  severalBegin: (name: string) => `Several items begin with “${name}”`,
  quantityError: `Please enter a whole number from 1 to ${MAX_ITEM_QUANTITY}`,
  priceError: 'Please enter a valid number',
  tooMany: `A deal has at most ${MAX_DEAL_ITEMS} items`,
} as const;
