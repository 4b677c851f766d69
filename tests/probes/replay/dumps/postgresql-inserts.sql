--
-- PostgreSQL database dump
--

\restrict vp1SiguMvxG8ofkYwNf3UJ0CLBzzuDkmPwlhOR4ec5UEngm1tutcFoyZ0pwnF4h

-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: stay; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.stay (
    id integer NOT NULL,
    ward_id integer NOT NULL,
    note text,
    cost numeric(8,2),
    CONSTRAINT stay_cost_check CHECK ((cost >= (0)::numeric))
);


ALTER TABLE public.stay OWNER TO postgres;

--
-- Name: ward; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.ward (
    id integer NOT NULL,
    name character varying(60) NOT NULL,
    opened date,
    beds integer DEFAULT 4
);


ALTER TABLE public.ward OWNER TO postgres;

--
-- Data for Name: stay; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.stay VALUES (1, 2, 'said: "no"; left', 120.50);
INSERT INTO public.stay VALUES (2, 1, 'tab	and
line', 0.00);
INSERT INTO public.stay VALUES (3, 1, NULL, 7.25);
INSERT INTO public.stay VALUES (4, 1, 'back\slash', 1.00);


--
-- Data for Name: ward; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.ward VALUES (1, 'St. Mary''s', '1987-03-01', 12);
INSERT INTO public.ward VALUES (2, 'West; annex (old)', NULL, 4);


--
-- Name: stay stay_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.stay
    ADD CONSTRAINT stay_pkey PRIMARY KEY (id);


--
-- Name: ward ward_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.ward
    ADD CONSTRAINT ward_pkey PRIMARY KEY (id);


--
-- Name: stay stay_ward_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.stay
    ADD CONSTRAINT stay_ward_id_fkey FOREIGN KEY (ward_id) REFERENCES public.ward(id);


--
-- PostgreSQL database dump complete
--

\unrestrict vp1SiguMvxG8ofkYwNf3UJ0CLBzzuDkmPwlhOR4ec5UEngm1tutcFoyZ0pwnF4h

