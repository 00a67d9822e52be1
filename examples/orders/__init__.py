"""An order service on one table: orders with their lines, stock, customers, accounts."""
