#!/bin/sh
# Makes what compose.yaml keeps secret, once: an API key, the password of the database, and the settings that hold them.
set -eu
folder="$(dirname "$0")/secrets"
if [ -e "$folder" ]; then
  echo "secrets.sh: $folder is there already; nothing was changed."
  exit 0
fi

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
api_key="$(random)"
password="$(random)"

# Made whole beside its place, so that a half-made one is never used. The folder lets nobody in but its owner; the files are
# readable because the users in the containers are others.
umask 077
new="$folder.$$"
mkdir "$new"
printf %s "$api_key" > "$new/api-key"
printf %s "$password" > "$new/postgres-password"
{
  echo "PETSTORE_DATABASE_URL=postgres://petstore:$password@postgres:5432/petstore"
  echo "PETSTORE_API_KEY=$api_key"
} > "$new/petstore.env"
chmod 444 "$new/postgres-password" "$new/petstore.env"
mv "$new" "$folder"
echo "secrets.sh: made $folder; the key for clients is in $folder/api-key."
