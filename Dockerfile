# Two stages: what builds does not run. The image has one user, who owns nothing but the two data
# folders. Dependencies come from the lock, by hash; `--build-arg PIP_INDEX_URL=…` names an index
# (PIP_TRUSTED_HOST: one without TLS), which no layer of what runs keeps.
FROM python:3.13-slim AS build
WORKDIR /app
ARG PIP_INDEX_URL
ARG PIP_TRUSTED_HOST
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /app/venv
COPY requirements.lock ./
RUN /app/venv/bin/pip install --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY plainloop plainloop
COPY agent agent
COPY server server
COPY migrations migrations
COPY packages packages
# The build backend is in the lock.
RUN /app/venv/bin/pip install --no-deps --no-build-isolation . ./packages/*

FROM python:3.13-slim
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin plainloop \
    && mkdir -p /app/data /app/onboarding_data \
    && chown plainloop:plainloop /app/data /app/onboarding_data
WORKDIR /app
COPY --from=build /app/venv venv
ENV PATH=/app/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    AGENT_DATA_DIR=/app/data AGENT_EXPORT_DIR=/app/onboarding_data
USER plainloop
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=2)"]
ENTRYPOINT ["plainloop"]
CMD ["serve", "--host", "0.0.0.0"]
